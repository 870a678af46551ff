unsigned long gcd(unsigned long a, unsigned long b) {
    while (b != 0) {
        unsigned long rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
