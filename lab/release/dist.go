package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
)

// sumsName is the name of the file of checksums, in the format of sha256sum.
const sumsName = "SHA256SUMS"

// dist makes all that is published: an archive and a bill of materials for every target,
// packages for those with Linux, a Dockerfile, and checksums of all.
func (r *release) dist(ctx context.Context) error {
	if err := r.head(ctx); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "lapsvm-dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.MkdirAll(r.out, 0o777); err != nil {
		return err
	}
	generated, err := r.generated(ctx, work)
	if err != nil {
		return err
	}
	programs, packaged := make([][]byte, len(r.targets)), make([][]byte, len(r.targets))
	infos := make([]*debug.BuildInfo, len(r.targets))
	for k, t := range r.targets {
		fmt.Fprintln(r.log, "building for", t)
		tag := ""
		if t.system == "linux" { // archives run anywhere; packages are for systems with a C library, and know MPI
			tag = static
			if packaged[k], _, err = r.build(ctx, t, "", work); err != nil {
				return err
			}
		}
		if programs[k], infos[k], err = r.build(ctx, t, tag, work); err != nil {
			return err
		}
	}
	r.version = strings.TrimPrefix(infos[0].Main.Version, "v")
	licences, err := r.licences(ctx, infos)
	if err != nil {
		return err
	}
	var made []string
	for k, t := range r.targets {
		names, err := r.pack(ctx, t, programs[k], packaged[k], infos[k], generated, licences, work)
		if err != nil {
			return err
		}
		made = append(made, names...)
	}
	if err := r.write("Dockerfile", []byte(dockerfile(r.version))); err != nil {
		return err
	}
	return r.writeSums(append(made, "Dockerfile"))
}

// pack makes the files of one target and returns their names: of a program for archives,
// and of one for packages.
func (r *release) pack(ctx context.Context, t target, program, packaged []byte, info *debug.BuildInfo, generated []entry, licences, work string) (names []string, err error) {
	contents, err := r.contents(t, program, generated, licences)
	if err != nil {
		return nil, err
	}
	var archive bytes.Buffer
	name, ending, write := archiveName(t, r.version), ".tar.gz", writeTar
	if t.system == "windows" {
		ending, write = ".zip", writeZip
	}
	if err := write(&archive, name, contents, r.commit.time); err != nil {
		return nil, err
	}
	bill, err := billOf(t.program(), program, info, r.commit.time)
	if err != nil {
		return nil, err
	}
	names = []string{name + ending, name + ".cdx.json"}
	if err := r.write(names[0], archive.Bytes()); err != nil {
		return nil, err
	}
	if err := r.write(names[1], append(bill, '\n')); err != nil {
		return nil, err
	}
	if t.system != "linux" {
		return names, nil
	}
	if contents, err = r.contents(t, packaged, generated, licences); err != nil {
		return nil, err
	}
	for _, format := range []string{deb, rpm} {
		files, err := r.packaged(contents, format)
		if err != nil {
			return nil, err
		}
		name, err := r.writePackage(ctx, t, format, files, work)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// archiveName is the name of an archive without its ending, and of the folder in it.
func archiveName(t target, version string) string {
	return fmt.Sprintf("lapsvm_%s_%s_%s", version, t.system, t.processor)
}

// dockerfile describes images of the program alone, for both processors, of the archives
// beside it.
func dockerfile(version string) string {
	return fmt.Sprintf(`# docker buildx build --platform linux/amd64,linux/arm64 -t lapsvm:%[2]s .
# docker run --rm -v "$PWD:/data" lapsvm:%[2]s train points.csv -o model.lapsvm
FROM scratch AS unpacked
ARG TARGETARCH
ADD lapsvm_%[1]s_linux_${TARGETARCH}.tar.gz /
WORKDIR /empty

FROM scratch
ARG TARGETARCH
LABEL org.opencontainers.image.title="lapsvm" org.opencontainers.image.version="%[1]s"
COPY --from=unpacked /lapsvm_%[1]s_linux_${TARGETARCH}/lapsvm /lapsvm
COPY --from=unpacked /lapsvm_%[1]s_linux_${TARGETARCH}/%[3]s /%[3]s
COPY --from=unpacked --chown=65534:65534 /empty /tmp
COPY --from=unpacked --chown=65534:65534 /empty /data
USER 65534:65534
WORKDIR /data
EXPOSE 8080
ENTRYPOINT ["/lapsvm"]
CMD ["help"]
`, version, strings.ReplaceAll(version, "+", "-"), thirdParty)
}

// write writes a published file.
func (r *release) write(name string, data []byte) error {
	fmt.Fprintf(r.log, "%9.1f MB  %s\n", float64(len(data))/1e6, name)
	return os.WriteFile(filepath.Join(r.out, name), data, 0o666)
}

// writeSums writes the checksums of files.
func (r *release) writeSums(names []string) error {
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(r.out, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), name)
	}
	return os.WriteFile(filepath.Join(r.out, sumsName), []byte(b.String()), 0o666)
}

// checkSums reads the checksums again and holds the files to them. It returns how many
// there are.
func (r *release) checkSums() (int, error) {
	text, err := os.ReadFile(filepath.Join(r.out, sumsName))
	if err != nil {
		return 0, err
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		sum, name, found := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !found {
			return 0, fmt.Errorf("%s has the line %q", sumsName, line)
		}
		data, err := os.ReadFile(filepath.Join(r.out, name))
		if err != nil {
			return 0, err
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != sum {
			return 0, fmt.Errorf("%s has the checksum %s, not %s: it was changed after it was made; run the step dist again", name, got, sum)
		}
		n++
	}
	if n == 0 {
		return 0, fmt.Errorf("%s is empty", sumsName)
	}
	return n, nil
}
