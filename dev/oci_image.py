#!/usr/bin/env python3
"""Writes an OCI image archive whose layers are folders, uncompressed and byte for byte reproducible.

    oci_image.py --reference docker.io/tmax/tasks:0.1.0 --output tasks.tar [--layer FOLDER[:TARGET]]...
                 [--entrypoint WORD]... [--env NAME=VALUE]... [--user USER] [--workdir PATH] [--label NAME=VALUE]...
    oci_image.py --reference ... --output ... --dockerfile FILE --context FOLDER

Each layer holds the files of FOLDER below TARGET (default /), owned by root, dated 1970, in order of their names. Put
what changes seldom into earlier layers. A Dockerfile can say the same, if it starts FROM scratch and only copies;
--only-check tells by the exit status whether it does. Layers go from the folder to the archive in one pass: a blob is named by its
digest, so its header is written when the data has passed. Prints the digest of the image's manifest.

For images FROM scratch that hold data only (models, tasks, the env-runner) this takes a fraction of what building and
compressing takes, and needs no privileges.
"""

import argparse
import hashlib
import json
import os
import stat
import sys
import tarfile

BLOCK = 512
CHUNK = 1 << 20


class Hashing:
    """A file that is only written to, in order, with the SHA-256 and the size of what was written."""

    def __init__(self, file):
        self.file, self.sha256, self.size = file, hashlib.sha256(), 0

    def write(self, data):
        self.sha256.update(data)
        self.size += len(data)
        return self.file.write(data)

    def tell(self):
        return self.size


def header(name, size):
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = size, 0o644
    return entry.tobuf(tarfile.GNU_FORMAT)


def write_blob(archive, produce):
    """Appends what produce(file) writes as a blob; returns its digest and size."""
    start = archive.tell()
    archive.write(b"\0" * BLOCK)
    blob = Hashing(archive)
    produce(blob)
    archive.write(b"\0" * (-blob.size % BLOCK))
    end = archive.tell()
    archive.seek(start)
    archive.write(header("blobs/sha256/" + blob.sha256.hexdigest(), blob.size))
    archive.seek(end)
    return "sha256:" + blob.sha256.hexdigest(), blob.size


def write_layer(folder, target, blob):
    """Writes the tar stream of a layer: parents of the target, then the folder's content."""
    with tarfile.open(fileobj=blob, mode="w|", format=tarfile.PAX_FORMAT, bufsize=CHUNK, copybufsize=CHUNK) as layer:
        parent = ""
        for part in target.strip("/").split("/"):
            if part:
                parent = parent + "/" + part if parent else part
                entry = tarfile.TarInfo(parent)
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                layer.addfile(entry)
        links = {}
        for path, folders, files in os.walk(folder):
            folders.sort()
            for name in sorted(files + [f for f in folders if os.path.islink(os.path.join(path, f))] + (
                    ["."] if path != folder else [])):
                source = os.path.normpath(os.path.join(path, name))
                inside = os.path.join(parent, os.path.relpath(source, folder))
                add(layer, source, inside, links)


def add(layer, source, inside, links):
    """Adds one entry; a file seen before under another name becomes a hard link to it."""
    status = os.lstat(source)
    entry = tarfile.TarInfo(inside)
    entry.mode = stat.S_IMODE(status.st_mode)
    if stat.S_ISLNK(status.st_mode):
        entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, os.readlink(source), 0o777
        layer.addfile(entry)
    elif stat.S_ISDIR(status.st_mode):
        entry.type = tarfile.DIRTYPE
        layer.addfile(entry)
    elif stat.S_ISREG(status.st_mode):
        identity = (status.st_dev, status.st_ino)
        if identity in links:
            entry.type, entry.linkname = tarfile.LNKTYPE, links[identity]
            layer.addfile(entry)
            return
        if status.st_nlink > 1:
            links[identity] = inside
        entry.size = status.st_size
        with open(source, "rb") as file:
            layer.addfile(entry, file)
    else:
        sys.exit(f"oci_image.py: {source} is neither file, folder nor link: leave it out of the image")


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def write_image(options):
    labels = dict(label.split("=", 1) for label in options.label)
    layers = []
    with open(options.output, "wb+") as archive:
        for layer in options.layer:
            folder, _, target = layer.partition(":")
            if not os.path.isdir(folder):
                sys.exit(f"oci_image.py: --layer {layer}: there is no folder {folder}")
            digest, size = write_blob(archive, lambda blob, f=folder, t=target: write_layer(f.rstrip("/"), t, blob))
            layers.append({"mediaType": "application/vnd.oci.image.layer.v1.tar", "digest": digest, "size": size})
        config = {"Entrypoint": options.entrypoint or None, "Env": options.env or None, "User": options.user,
                  "WorkingDir": options.workdir, "Labels": labels or None}
        config_digest, config_size = write_blob(archive, lambda blob: blob.write(canonical({
            "architecture": "amd64", "os": "linux", "config": {k: v for k, v in config.items() if v},
            "rootfs": {"type": "layers", "diff_ids": [layer["digest"] for layer in layers]}})))
        manifest_digest, manifest_size = write_blob(archive, lambda blob: blob.write(canonical({
            "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": {"mediaType": "application/vnd.oci.image.config.v1+json", "digest": config_digest,
                       "size": config_size}, "layers": layers})))
        index = canonical({"schemaVersion": 2, "manifests": [{
            "mediaType": "application/vnd.oci.image.manifest.v1+json", "digest": manifest_digest,
            "size": manifest_size, "platform": {"architecture": "amd64", "os": "linux"},
            "annotations": {"io.containerd.image.name": options.reference,
                            "org.opencontainers.image.ref.name": options.reference}}]})
        for name, data in (("index.json", index), ("oci-layout", b'{"imageLayoutVersion":"1.0.0"}')):
            archive.write(header(name, len(data)) + data + b"\0" * (-len(data) % BLOCK))
        archive.write(b"\0" * (2 * BLOCK))
    print(manifest_digest)


def read_dockerfile(path, context):
    """The same options out of a Dockerfile, or None where it does more than to copy files into an empty image."""
    options = {"layer": [], "entrypoint": [], "env": [], "label": [], "user": None, "workdir": None}
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file.read().replace("\\\n", " ").splitlines()]
    instructions = [line.split(None, 1) for line in lines if line and not line.startswith("#")]
    if not instructions or [word.lower() for word in instructions[0]] != ["from", "scratch"]:
        return None
    for instruction, rest in instructions[1:]:
        words = rest.split()
        if instruction == "COPY" and len(words) == 2 and os.path.isdir(os.path.join(context, words[0])):
            options["layer"].append(os.path.normpath(os.path.join(context, words[0])) + ":" + words[1])
        elif instruction == "ENTRYPOINT" and rest.startswith("["):
            options["entrypoint"] = json.loads(rest)
        elif instruction in ("ENV", "LABEL") and len(words) == 1 and "=" in rest and '"' not in rest:
            options[instruction.lower()].append(rest)
        elif instruction == "USER" and len(words) == 1:
            options["user"] = rest
        elif instruction == "WORKDIR" and len(words) == 1:
            options["workdir"] = rest
        else:
            return None
    return options


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for single in ("reference", "output", "dockerfile", "context"):
        parser.add_argument("--" + single)
    parser.add_argument("--only-check", action="store_true")
    for repeated in ("layer", "entrypoint", "env", "label"):
        parser.add_argument("--" + repeated, action="append", default=[])
    for single in ("user", "workdir"):
        parser.add_argument("--" + single)
    options = parser.parse_args()
    if options.dockerfile:
        described = read_dockerfile(options.dockerfile, options.context or ".")
        if options.only_check:
            sys.exit(0 if described else 1)
        if not described:
            sys.exit(f"oci_image.py: {options.dockerfile} does more than to copy folders into an empty image")
        vars(options).update(described)
    if not options.reference or not options.output:
        parser.error("--reference and --output are needed")
    write_image(options)


if __name__ == "__main__":
    main()
