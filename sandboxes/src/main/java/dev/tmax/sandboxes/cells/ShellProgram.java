package dev.tmax.sandboxes.cells;

import dev.tmax.sandboxes.CellTools;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The loop that makes a shell take commands one after another.
 *
 * <p>The shell reads it from its standard input and then moves its three descriptors away: commands come in on one, status
 * and folder go out on another, and a mark at the end of each command's output on the third. Commands see none of them:
 * their standard input is empty, output and error go one way. Names begin with {@code _tmax_}.
 */
enum ShellProgram {

    /** Commands are fields that end with NUL. */
    BASH(
            "exec 17>&1 18<&0 19>&2 0</dev/null 2>&1; shopt -s expand_aliases; builtin cd -- CWD 2>/dev/null || builtin cd /;"
                    + " _tmax_status() { return $1; }; _tmax_code=0;"
                    + " builtin printf 'ready\\0000\\000' >&19; builtin pwd >&19; builtin printf '\\000' >&19;"
                    + " while { IFS= builtin read -r -d '' -u 18 _tmax_id"
                    + " && IFS= builtin read -r -d '' -u 18 _tmax_command; } 2>/dev/null; do"
                    + " case $- in *e*) ;; *) _tmax_status \"$_tmax_code\";; esac;"
                    + " { builtin eval \"$_tmax_command\"; } 17>&- 18<&- 19>&-;"
                    + " { _tmax_code=$?; builtin printf '\\036%s' \"$_tmax_id\" >&17;"
                    + " builtin printf '%s\\000%s\\000' \"$_tmax_id\" \"$_tmax_code\" >&19;"
                    + " builtin pwd >&19; builtin printf '\\000' >&19; } 2>/dev/null; done\n") {
        @Override
        byte[] encode(String id, byte[] command) {
            ByteArrayOutputStream out = new ByteArrayOutputStream(command.length + 64);
            out.writeBytes(ascii(id + "\0"));
            out.writeBytes(command);
            out.write(0);
            return out.toByteArray();
        }
    },

    /** For shells whose {@code read} knows lines only: a command is a number of lines, then these. */
    SH("exec 7>&1 8<&0 9>&2 0</dev/null 2>&1; cd -- CWD 2>/dev/null || cd /;"
            + " _tmax_status() { return $1; }; _tmax_code=0; _tmax_newline='\n';"
            + " printf 'ready\\0000\\000' >&9; pwd >&9; printf '\\000' >&9;"
            + " while { IFS= read -r _tmax_id <&8 && IFS= read -r _tmax_lines <&8; } 2>/dev/null; do"
            + " _tmax_command=; while [ \"$_tmax_lines\" -gt 0 ]; do IFS= read -r _tmax_line <&8;"
            + " _tmax_command=$_tmax_command$_tmax_line$_tmax_newline; _tmax_lines=$((_tmax_lines - 1)); done;"
            + " case $- in *e*) ;; *) _tmax_status \"$_tmax_code\";; esac;"
            + " { command eval \"$_tmax_command\"; } 7>&- 8<&- 9>&-;"
            + " { _tmax_code=$?; printf '\\036%s' \"$_tmax_id\" >&7;"
            + " printf '%s\\000%s\\000' \"$_tmax_id\" \"$_tmax_code\" >&9;"
            + " pwd >&9; printf '\\000' >&9; } 2>/dev/null; done\n") {
        @Override
        byte[] encode(String id, byte[] command) {
            int lines = 1;
            for (byte b : command) {
                lines += b == '\n' ? 1 : 0;
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream(command.length + 64);
            out.writeBytes(ascii(id + "\n" + lines + "\n"));
            out.writeBytes(command);
            out.write('\n');
            return out.toByteArray();
        }
    };

    /** Begins the mark at the end of a command's output; the command's secret id follows. */
    static final byte MARK = 0x1e;

    /** Says on standard error which shell there is and becomes it. */
    static final String CHOOSE =
            "if command -v bash >/dev/null 2>&1; then printf '\\000shell\\000bash\\000' >&2; exec bash; "
                    + "elif command -v sh >/dev/null 2>&1; then printf '\\000shell\\000sh\\000' >&2; exec sh; fi; "
                    + "printf '\\000shell\\000sh\\000' >&2; exec " + CellTools.BUSYBOX + " sh";

    /** The same where the cell's own shells do not start. */
    static final String OWN = "printf '\\000shell\\000sh\\000' >&2; exec " + CellTools.BUSYBOX + " sh";

    private final String loop;

    ShellProgram(String loop) {
        this.loop = loop;
    }

    /** What to send first. */
    byte[] begin(String cwd) {
        String quoted = "'" + cwd.replace("'", "'\\''") + "'";
        return loop.replace("CWD", quoted).getBytes(StandardCharsets.UTF_8);
    }

    /** A command, ready to be sent. */
    abstract byte[] encode(String id, byte[] command);

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
