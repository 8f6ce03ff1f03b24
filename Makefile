# make check is what continuous integration runs; make test is its quick part.

GO ?= go
RACE := $(shell command -v gcc >/dev/null 2>&1 && echo -race)

.PHONY: check test format vet purego build

check: format vet
	$(GO) test $(RACE) ./...
	@$(MAKE) --no-print-directory purego

test:
	$(GO) test ./...

format:
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "gofmt wants:"; echo "$$files"; exit 1; fi

vet:
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

# The pure-Go twins of the assembly, and a machine without any.
purego:
	$(GO) test -tags purego ./internal/... ./gram ./graph ./solve
	GOARCH=arm64 $(GO) build ./...

build:
	$(GO) build -o bin/ ./cmd/lapsvm
