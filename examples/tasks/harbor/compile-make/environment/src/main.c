#include <stdio.h>
#include "stats.h"

int main(void) {
    double values[1000];
    int count = 0;
    while (count < 1000 && scanf("%lf", &values[count]) == 1) count++;
    printf("%d %.2f\n", count, mean(values, count))
    return 0;
}
