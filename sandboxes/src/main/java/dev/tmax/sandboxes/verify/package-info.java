/** From a finished attempt to a reward that the attempt cannot forge. */
package dev.tmax.sandboxes.verify;
