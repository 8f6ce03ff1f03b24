# make check is what continuous integration runs; make test is its quick part.

GO ?= go
RACE := $(shell command -v gcc >/dev/null 2>&1 && echo -race)

.PHONY: check test format vet purego arm64 arm64-all build wheel

# vet has run by then, and runs all of its checks.
check: format vet
	$(GO) test $(RACE) -vet=off ./...
	@$(MAKE) --no-print-directory purego arm64

test:
	$(GO) test ./...

format:
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "gofmt wants:"; echo "$$files"; exit 1; fi

vet:
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

# The packages that compute. TestTwins sees to it that none but internal/vec knows a processor.
PACKAGES = ./internal/vec ./internal/linalg ./internal/tall ./points ./internal/tiles ./internal/neighbours ./kernel ./objective ./gram ./graph ./solve ./deformed

# The pure-Go twins of the assembly.
purego:
	$(GO) test -tags purego $(PACKAGES)

# The assembly for arm64, under QEMU: the kernels with and without the products of bytes that
# not all processors have, and reference problems from points to solutions.
QEMU ?= qemu-aarch64-static
ON_ARM64 = GOARCH=arm64 CGO_ENABLED=0 timeout 600 $(GO) test -vet=off -short
arm64:
	GOARCH=arm64 $(GO) build $(PACKAGES)
	GOARCH=arm64 $(GO) vet ./internal/vec
	@if ! command -v $(QEMU) >/dev/null; then echo "no $(QEMU) here (Debian: qemu-user-static): arm64 is built and not run"; exit 0; fi; set -ex; \
	$(ON_ARM64) -exec "$(QEMU)" -run /neon ./internal/vec; \
	$(ON_ARM64) -exec "$(QEMU) -cpu cortex-a72" -run Bytes/neon ./internal/vec; \
	$(ON_ARM64) -exec "$(QEMU)" -run 'Golden|SameAsNewton' ./graph ./solve ./deformed

# All tests of these packages there, one of everything that bench measures, and a training by
# the program.
arm64-all:
	for p in $(PACKAGES); do GOARCH=arm64 CGO_ENABLED=0 $(GO) test -short -timeout 1h -exec "$(QEMU)" $$p || exit 1; done
	GOARCH=arm64 CGO_ENABLED=0 $(GO) test -exec "$(QEMU)" -run TestRun ./internal/bench
	GOARCH=arm64 CGO_ENABLED=0 $(GO) run -exec "$(QEMU)" ./cmd/lapsvm demo

# Threads that C may run on reserve more of the address space, which ulimit -v bounds.
build:
	CGO_ENABLED=0 $(GO) build -o bin/ ./cmd/lapsvm

# The Python package with the program in it, for Linux on x86-64, or with PROGRAM, which
# is built already. The wheel is the same for the same sources: setuptools works on a copy,
# and files have the time of the commit.
PYTHON ?= python3
DIST ?= dist
wheel:
	@mkdir -p $(DIST); work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && \
	cp -r python "$$work" && rm -rf "$$work"/python/tests && mkdir "$$work/python/lapsvm/bin" && \
	if [ -n "$(PROGRAM)" ]; then cp "$(PROGRAM)" "$$work/python/lapsvm/bin/lapsvm"; else \
		CGO_ENABLED=0 GOOS=linux GOARCH=amd64 $(GO) build -trimpath -ldflags '-s -w' -o "$$work/python/lapsvm/bin/lapsvm" ./cmd/lapsvm; fi && \
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null || echo 1700000000) \
		$(PYTHON) -m pip wheel --quiet --no-index --no-deps --no-build-isolation --wheel-dir "$(abspath $(DIST))" "$$work/python"
