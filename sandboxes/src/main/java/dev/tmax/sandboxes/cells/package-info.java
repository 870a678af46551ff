/**
 * Cells on this machine: containers by crun over an overlay of a root file system.
 *
 * <p>In the order of a cell's life: {@link dev.tmax.sandboxes.cells.Cells} makes it, {@code Layers} mounts its root, {@code
 * CellConfiguration} describes it to {@code Crun}, {@code Shell} and {@code Execution} run what is asked for, {@code
 * CellProcesses} sees its processes from outside, {@code LimitsWatch} keeps it within its bounds.
 */
package dev.tmax.sandboxes.cells;
