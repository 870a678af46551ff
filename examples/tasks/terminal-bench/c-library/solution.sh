cd /app
cat >main.c <<'C'
#include <stdio.h>
#include <stdlib.h>

unsigned long gcd(unsigned long a, unsigned long b);

int main(int count, char **words) {
    if (count != 3) return 2;
    printf("%lu\n", gcd(strtoul(words[1], NULL, 10), strtoul(words[2], NULL, 10)));
    return 0;
}
C
gcc -shared -fPIC -o libgcd.so gcd.c
gcc -o gcd main.c -L/app -lgcd -Wl,-rpath,/app
