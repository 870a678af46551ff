double mean(const double *values, int count);
