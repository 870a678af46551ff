package dev.tmax.sandboxes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Root file systems that tests run cells over. */
public enum RootFileSystems {
    /** Debian with bash, coreutils, procps, Python, sudo, less and vim. */
    DEBIAN {
        @Override
        public Path folder() {
            Path cache = Path.of(
                    System.getenv().getOrDefault("TMAX_CACHE", System.getProperty("user.home") + "/.cache/tmax"));
            try (var script = RootFileSystems.class.getResourceAsStream("/debian-root.sh")) {
                Path copy = Files.createDirectories(cache).resolve("debian-root.sh");
                Files.write(copy, script.readAllBytes());
                Process process = new ProcessBuilder("sh", copy.toString(), cache.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                String folder = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
                if (process.waitFor() != 0) {
                    throw new IOException("debian-root.sh failed");
                }
                return Path.of(folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    },

    /** Nothing but a static busybox and its links; no bash, no libc. */
    BUSYBOX {
        @Override
        public Path folder() {
            try {
                Path root = Files.createTempDirectory(Path.of("/var/tmp"), "tmax-busybox-root-");
                for (String folder : List.of("bin", "etc", "home", "proc", "root", "tmp", "dev", "var")) {
                    Files.createDirectories(root.resolve(folder));
                }
                Files.copy(Path.of("/bin/busybox"), root.resolve("bin/busybox"));
                root.resolve("bin/busybox").toFile().setExecutable(true, false);
                Process list = new ProcessBuilder("/bin/busybox", "--list").start();
                for (String applet :
                        new String(list.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                    if (!applet.equals("busybox")) {
                        Files.createSymbolicLink(root.resolve("bin").resolve(applet), Path.of("busybox"));
                    }
                }
                Files.writeString(
                        root.resolve("etc/passwd"),
                        "root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1::/var:/bin/false\nuser:x:1000:1000::/home:/bin/sh\n");
                Files.writeString(root.resolve("etc/group"), "root:x:0:\ndaemon:x:1:\nuser:x:1000:\n");
                root.resolve("tmp").toFile().setWritable(true, false);
                return root;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    /** Its folder; made where needed. */
    public abstract Path folder();
}
