/** The trainer's servers: gRPC for generators, HTTP for operator, Prometheus and people. */
package dev.tmax.trainer.serve;
