# The commands of the project. Each installs or builds what it needs and says what it does.
SHELL := /bin/bash
.DEFAULT_GOAL := help

.PHONY: help
help: ## This list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 22

.PHONY: demo
demo: ## Train a real model on a real local cluster and show the result (about 20 minutes)
	@demo/run.sh

.PHONY: test
test: ## All tests: unit, API server, cluster
	@dev/test.sh

.PHONY: test-unit test-api-server test-cluster
test-unit: ## Unit tests, format, static analysis
	@dev/test.sh unit
test-api-server: ## Operator against a real API server and etcd
	@dev/test.sh api-server
test-cluster: ## Operator, trainer, generators and sandboxes on the real cluster; leaves a cluster that was up
	@dev/test.sh cluster

.PHONY: build format
build: ## Build the Java modules
	@dev/java.sh
format: ## Format the Java sources
	@source dev/env.sh && use_java && mvn -B -ntp -q spotless:apply

.PHONY: images cluster platform down
images: build ## Build all container images
	@dev/packages.sh images && dev/images.sh build all
cluster: ## Start the local Kubernetes
	@dev/packages.sh && dev/binaries/build.sh && dev/cluster.sh up
platform: ## Local Kubernetes with this checkout's operator on it
	@dev/platform.sh
down: ## Remove the local cluster and every trace of it
	@dev/cluster.sh down

.PHONY: proof-parity
proof-parity: ## Language model: numbers equal to transformers' on every architecture, exports load there
	@language-model/proof-parity.sh

.PHONY: bench-language-model
bench-language-model: ## Language model: speed beside transformers on the same weights (an hour, on an idle machine)
	@benchmarks/language-model.sh

.PHONY: reference
reference: ## Make the generated files again: CRDs in the chart, API reference
	@dev/reference.sh

.PHONY: proof-tasks
proof-tasks: ## Example tasks in images built of their Dockerfiles: solutions get 1, doing nothing gets 0
	@examples/tasks/check.sh
