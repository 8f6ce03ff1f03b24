# make check is what continuous integration runs; make test is its quick part.

GO ?= go
RACE := $(shell command -v gcc >/dev/null 2>&1 && echo -race)

.PHONY: check test format vet spared purego build wheel

# vet has run by then, and runs all of its checks.
check: format vet
	$(GO) test $(RACE) -vet=off ./...
	@$(MAKE) --no-print-directory spared purego

# The packages with tests that the race detector does not watch (internal/detector).
spared:
	$(GO) test -vet=off $$($(GO) list -f '{{$$p := .ImportPath}}{{range .TestImports}}{{if eq . "lapsvm/internal/detector"}}{{$$p}}{{end}}{{end}}{{range .XTestImports}}{{if eq . "lapsvm/internal/detector"}}{{$$p}}{{end}}{{end}}' ./...)

test:
	$(GO) test ./...

format:
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "gofmt wants:"; echo "$$files"; exit 1; fi

vet:
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

# The pure-Go twins of the assembly, and a machine without any: the packages
# that compute with them. TestTwins sees to it that no other knows a processor.
purego: PACKAGES = ./internal/vec ./internal/linalg ./internal/tall ./points ./internal/tiles ./internal/neighbours ./kernel ./objective ./gram ./graph ./solve ./deformed
purego:
	$(GO) test -vet=off -tags purego $(PACKAGES)
	GOARCH=arm64 $(GO) build $(PACKAGES)

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
