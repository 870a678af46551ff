/**
 * The operator of {@code tmax.dev}: decides which pods exist. {@link dev.tmax.operator.OperatorRuntime} is the whole of it
 * without a web server; {@code application} puts that into Quarkus.
 */
package dev.tmax.operator;
