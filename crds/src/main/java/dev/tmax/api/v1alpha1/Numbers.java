package dev.tmax.api.v1alpha1;

/** CEL rules of fractions, which the API writes as strings. */
final class Numbers {

    static final String POSITIVE =
            "self.matches('^[0-9]{1,12}([.][0-9]{1,12})?([eE][-+]?[0-9]{1,2})?$') && double(self) > 0.0";
    static final String NOT_NEGATIVE = "self.matches('^[0-9]{1,12}([.][0-9]{1,12})?([eE][-+]?[0-9]{1,2})?$')";

    private Numbers() {}
}
