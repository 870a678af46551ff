mkdir -p /app/restored
{
    cat /app/parts/part-0
    head -c -10 /app/parts/part-1
    cat /app/parts/part-2
} | tar -xz -C /app/restored
