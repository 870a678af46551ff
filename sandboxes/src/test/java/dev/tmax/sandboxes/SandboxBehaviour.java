package dev.tmax.sandboxes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tmax.sandboxes.CommandResult.Ending;
import dev.tmax.sandboxes.tar.TarEntry;
import dev.tmax.sandboxes.tar.TarWriter;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every sandbox does with a Debian image, wherever its cells run. */
public abstract class SandboxBehaviour {

    private static final Duration LONG = Duration.ofSeconds(60);

    private String cell;
    private int commands;

    /** Opened once for the class; its termination grace is short. */
    protected abstract Sandbox sandbox();

    @BeforeEach
    void makeACell() throws SandboxFailure {
        cell = "c-" + UUID.randomUUID();
        commands = 0;
        sandbox().createCell(CellSpec.of(cell));
    }

    @AfterEach
    void deleteTheCell() throws SandboxFailure {
        sandbox().deleteCell(cell);
    }

    private CommandResult run(String command) throws SandboxFailure {
        return run(command, LONG);
    }

    private CommandResult run(String command, Duration timeout) throws SandboxFailure {
        return sandbox().run(cell, CommandRequest.of("command-" + commands++, command, timeout));
    }

    private String output(String command) throws SandboxFailure {
        return run(command).output();
    }

    @Test
    void aCommandGivesItsOutputAndStatus() throws SandboxFailure {
        CommandResult result = run("echo out; echo err >&2; echo out again; false");
        assertThat(result.output()).isEqualTo("out\nerr\nout again\n");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.ending()).isEqualTo(Ending.COMPLETED);
        assertThat(result.bytes()).isEqualTo(18);
        assertThat(result.cwd()).isEqualTo("/");
    }

    @Test
    void folderVariablesFunctionsAliasesAndOptionsLiveOn() throws SandboxFailure {
        run(
                "mkdir -p /a/docs; cd /a/docs; export E=1; U=2; f() { echo f$1; }; alias g='echo g'; set -o noglob; umask 077");
        assertThat(output("pwd; echo $E$U; f 3; g 4; echo *; umask; sh -c 'echo $E-$U'"))
                .isEqualTo("/a/docs\n12\nf3\ng 4\n*\n0077\n1-\n");
        assertThat(run("unset E; cd ..").cwd()).isEqualTo("/a");
        assertThat(output("echo [$E] $OLDPWD")).isEqualTo("[] /a/docs\n");
    }

    @Test
    void theStatusOfTheLastCommandIsThereForTheNext() throws SandboxFailure {
        run("(exit 7)");
        assertThat(output("echo $?")).isEqualTo("7\n");
        assertThat(output("echo $?")).isEqualTo("0\n");
    }

    @Test
    void anExitEndsTheShellAndANewOneStartsInTheSameFolder() throws SandboxFailure {
        run("cd /tmp; V=1");
        CommandResult result = run("echo before; exit 3");
        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.output()).isEqualTo("before\n");
        assertThat(result.shellRestarted()).isTrue();
        assertThat(result.notice()).contains("ended with status 3");
        assertThat(output("pwd; echo [$V]")).isEqualTo("/tmp\n[]\n");
    }

    @Test
    void errexitEndsTheShellAsItWouldAtAPrompt() throws SandboxFailure {
        CommandResult result = run("set -e; echo a; false; echo b");
        assertThat(result.output()).isEqualTo("a\n");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(output("echo next")).isEqualTo("next\n");
    }

    @Test
    void aShellThatKillsOrReplacesItselfIsReplaced() throws SandboxFailure {
        assertThat(run("kill -9 $$").exitCode()).isEqualTo(137);
        assertThat(output("echo next")).isEqualTo("next\n");
        assertThat(run("exec bash").exitCode()).isEqualTo(0);
        assertThat(output("echo next")).isEqualTo("next\n");
        run("kill -9 -1");
        assertThat(output("echo next")).isEqualTo("next\n");
    }

    @Test
    void aBackgroundChildThatHoldsTheOutputDelaysNothing() throws SandboxFailure {
        CommandResult result = run("sleep 300 & echo started; exit 1", Duration.ofSeconds(20));
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).isEqualTo("started\n");
        CommandResult second = run("sleep 301 & echo $!");
        assertThat(second.timedOut()).isFalse();
        assertThat(run("until [ $(pgrep -fc '^sleep 30[01]') = 2 ]; do :; done", Duration.ofSeconds(20))
                        .timedOut())
                .isFalse();
    }

    @Test
    void whatABackgroundProcessPrintsLaterBeginsTheNextOutput() throws SandboxFailure {
        run("(while [ ! -e /go ]; do sleep 0.01; done; echo late; touch /gone) &");
        run("touch /go; while [ ! -e /gone ]; do sleep 0.01; done");
        assertThat(output("echo now") + output("echo")).contains("now\n");
    }

    @Test
    void standardInputIsEmpty() throws SandboxFailure {
        CommandResult result = run("read -r line; echo \"$? [$line]\"; cat; python3");
        assertThat(result.output()).isEqualTo("1 []\n");
    }

    @Test
    void fullScreenProgramsEndAtOnce() throws SandboxFailure {
        for (String program : new String[] {"less /etc/passwd", "top", "python3", "more /etc/passwd"}) {
            assertThat(run(program, Duration.ofSeconds(20)).timedOut())
                    .as(program)
                    .isFalse();
        }
    }

    @Test
    void severalLinesHeredocsQuotesAndCommentsArriveExactly() throws SandboxFailure {
        assertThat(output("# only a comment\nfor i in 1 2; do\n  echo $i\ndone # note"))
                .isEqualTo("1\n2\n");
        assertThat(output("cat <<'END'\na $HOME 'b' \"c\" \\\n\tEND\nEND\necho after"))
                .isEqualTo("a $HOME 'b' \"c\" \\\n\tEND\nafter\n");
        assertThat(output("echo a \\")).startsWith("a");
        assertThat(output("echo 'ä 日本 😀'; printf '%s' x")).isEqualTo("ä 日本 😀\nx");
        assertThat(output("")).isEmpty();
    }

    @Test
    void anUnbalancedQuoteIsAnErrorAndTheShellGoesOn() throws SandboxFailure {
        run("V=1");
        for (String broken : new String[] {"echo 'a", "echo \"a", "if true; then", "echo $(ls", "cat <<E\nx", ")"}) {
            CommandResult result = run(broken, Duration.ofSeconds(20));
            assertThat(result.timedOut()).as(broken).isFalse();
        }
        assertThat(run("echo 'a").exitCode()).isNotZero();
        assertThat(run("echo 'a").output()).contains("unexpected EOF");
        assertThat(output("echo $V")).isEqualTo("1\n");
    }

    @Test
    void aNulIsRefusedAndTheShellGoesOn() throws SandboxFailure {
        run("V=1");
        CommandResult result = run("echo a\0b");
        assertThat(result.ending()).isEqualTo(Ending.REFUSED);
        assertThat(result.notice()).contains("NUL");
        assertThat(output("echo $V")).isEqualTo("1\n");
    }

    @Test
    void aCommandOfAMegabyteRuns() throws SandboxFailure {
        String text = "0123456789abcdef".repeat(65_536);
        assertThat(output("cat > /big <<'END'\n" + text + "\nEND\nwc -c </big")).isEqualTo("1048577\n");
        CommandResult tooLong = run("#" + "x".repeat(CommandRequest.MAX_COMMAND_BYTES));
        assertThat(tooLong.ending()).isEqualTo(Ending.REFUSED);
    }

    @Test
    void outputThatIsNotTextIsReplacedCharacterByCharacter() throws SandboxFailure {
        CommandResult result = run("printf 'a\\xff\\xfeb\\n'; printf '\\0c'");
        assertThat(result.output()).isEqualTo("a\ufffd\ufffdb\n\0c");
        assertThat(run("head -c 4096 /dev/urandom").exitCode()).isZero();
    }

    @Test
    void longOutputKeepsItsFirstAndLastFiveThousandCharacters() throws SandboxFailure {
        CommandResult result =
                run("printf 'B%.0s' $(seq 6000); printf 'ä%.0s' $(seq 100000); printf 'E%.0s' $(seq 4999); echo");
        assertThat(result.truncated()).isTrue();
        assertThat(result.bytes()).isEqualTo(6000 + 200_000 + 5000);
        assertThat(result.output())
                .startsWith("B".repeat(5000) + "\n[... about ")
                .endsWith("E".repeat(4999) + "\n");
    }

    @Test
    void muchOutputCostsNoMoreThanItsEnds() throws SandboxFailure {
        CommandResult result = run("head -c 300000000 /dev/zero | tr '\\0' y; echo; echo end");
        assertThat(result.bytes()).isEqualTo(300_000_005);
        assertThat(result.output().length()).isLessThan(11_000);
        assertThat(result.output()).endsWith("\nend\n");
    }

    @Test
    void outputIsKeptAndBoundedOnTimeoutToo() throws SandboxFailure {
        CommandResult result = run("yes | head -c 41000000; sleep 99", Duration.ofSeconds(5));
        assertThat(result.timedOut()).isTrue();
        assertThat(result.exitCode()).isEqualTo(124);
        assertThat(result.bytes()).isGreaterThanOrEqualTo(41_000_000);
        assertThat(result.output()).startsWith("y\ny\n");
        assertThat(result.output().length()).isLessThan(11_000);
        assertThat(result.shellRestarted()).isFalse();
    }

    @Test
    void aTimeoutEndsWholeTreesAndLeavesOlderDaemons() throws SandboxFailure {
        run("V=1; setsid sleep 990 & (setsid sleep 991 >/dev/null 2>&1 &)");
        CommandResult result = run(
                "bash -c 'sleep 987 & sleep 986' & setsid sleep 985 & (setsid bash -c 'trap \"\" TERM; sleep 984; sleep 983' &);"
                        + " while ! pgrep -f '^sleep 984' >/dev/null; do :; done; echo all; sleep 982",
                Duration.ofSeconds(3));
        assertThat(result.timedOut()).isTrue();
        assertThat(result.output()).contains("all\n");
        assertThat(output("pgrep -f '^sleep 98' | wc -l; pgrep -f '^sleep 99' | wc -l; echo $V"))
                .isEqualTo("0\n2\n1\n");
    }

    @Test
    void aLoopOfTheShellItselfIsEndedWithTheShell() throws SandboxFailure {
        run("cd /tmp");
        CommandResult result = run("while :; do sleep 0.05; done", Duration.ofSeconds(1));
        assertThat(result.timedOut()).isTrue();
        assertThat(result.shellRestarted()).isTrue();
        assertThat(output("pwd")).isEqualTo("/tmp\n");
    }

    @Test
    void theSameCommandIdNeverRunsTwice() throws SandboxFailure {
        CommandRequest request = CommandRequest.of("once", "echo x >>/count; wc -l </count", LONG);
        assertThat(sandbox().run(cell, request).output()).isEqualTo("1\n");
        assertThat(sandbox().run(cell, request).output()).isEqualTo("1\n");
        assertThat(output("wc -l </count")).isEqualTo("1\n");
    }

    @Test
    void aCellIsUsedOnce() throws SandboxFailure {
        assertThatThrownBy(() -> sandbox().createCell(CellSpec.of(cell)))
                .isInstanceOfSatisfying(
                        SandboxFailure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(SandboxFailure.Reason.CONFLICT));
        sandbox().deleteCell(cell);
        sandbox().deleteCell(cell);
        assertThatThrownBy(() -> sandbox().createCell(CellSpec.of(cell)))
                .isInstanceOfSatisfying(
                        SandboxFailure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(SandboxFailure.Reason.CONFLICT));
        assertThatThrownBy(() -> run("true"))
                .isInstanceOfSatisfying(
                        SandboxFailure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(SandboxFailure.Reason.NOT_FOUND));
    }

    @Test
    void cellsShareNothing() throws SandboxFailure {
        run("echo secret >/tmp/secret; rm /etc/passwd; sleep 777 &");
        String other = "c-" + UUID.randomUUID();
        sandbox().createCell(CellSpec.of(other));
        CommandResult result = sandbox()
                .run(other, CommandRequest.of("1", "ls /tmp/secret; wc -l </etc/passwd; pgrep -f '^sleep 777'", LONG));
        sandbox().deleteCell(other);
        assertThat(result.output())
                .contains("No such file")
                .doesNotContain("secret\n")
                .doesNotContain("No such file or directory\nbash");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void userFolderAndEnvironmentAreAsAsked() throws SandboxFailure {
        String other = "c-" + UUID.randomUUID();
        sandbox()
                .createCell(CellSpec.of(other)
                        .withUser("daemon")
                        .withWorkdir("/made/für/it")
                        .withEnvironment(Map.of("A", "1 ä", "PATH", "/usr/bin:/bin")));
        CommandResult result =
                sandbox().run(other, CommandRequest.of("1", "id -un; pwd; echo $A $PATH $HOME; touch /x", LONG));
        sandbox().deleteCell(other);
        assertThat(result.output())
                .startsWith("daemon\n/made/für/it\n1 ä /usr/bin:/bin /usr/sbin\n")
                .contains("denied");
        assertThatThrownBy(() -> sandbox()
                        .createCell(CellSpec.of("c-" + UUID.randomUUID()).withUser("nobody-here")))
                .isInstanceOf(SandboxFailure.class)
                .hasMessageContaining("nobody-here");
    }

    @Test
    void rootInsideIsRootOfTheCellOnly() throws SandboxFailure {
        assertThat(
                        output(
                                "id -u; chown daemon /etc/hostname 2>&1; stat -c %U /etc/hostname; su daemon -s /bin/sh -c 'id -un'"))
                .endsWith("daemon\ndaemon\n");
        assertThat(run("mount -t tmpfs x /mnt").exitCode()).isNotZero();
        assertThat(run("unshare -Ur true").exitCode()).isNotZero();
        assertThat(run("unshare -m true").exitCode()).isNotZero();
        assertThat(run("mknod /dev/vda b 8 0").exitCode()).isNotZero();
        assertThat(output("ls /proc | grep -c '^[0-9]'; cat /proc/net/route | wc -l")
                        .lines()
                        .skip(1))
                .containsExactly("1");
        assertThat(run("sudo -n id -u").output()).contains("0\n");
    }

    @Test
    void aShellWithoutItsToolsStillAnswers() throws SandboxFailure {
        run("PATH=; rm -rf /tmp 2>/dev/null");
        assertThat(output("echo still")).isEqualTo("still\n");
        run("PATH=/usr/bin:/bin; rm -f /bin/bash /usr/bin/bash; exit 0");
        assertThat(output("echo $0")).isEqualTo("sh\n");
        run("rm -f /bin/sh /bin/dash; exit 0");
        assertThat(output("echo still")).isEqualTo("still\n");
    }

    @Test
    void aForkBombIsOverWithItsCommand() throws SandboxFailure {
        String other = "c-" + UUID.randomUUID();
        sandbox().createCell(CellSpec.of(other).withLimits(new CellLimits(1L << 30, 64, 1L << 30)));
        CommandResult bomb = sandbox()
                .run(other, CommandRequest.of("1", "b() { b | b & }; b; while :; do :; done", Duration.ofSeconds(4)));
        CommandResult after = sandbox().run(other, CommandRequest.of("2", "ls -d /etc", LONG));
        sandbox().deleteCell(other);
        assertThat(bomb.ending()).isEqualTo(Ending.TIMED_OUT);
        assertThat(bomb.notice()).contains("limit of 64");
        assertThat(after.output()).isEqualTo("/etc\n");
    }

    @Test
    void aForkBombInTheBackgroundDoesNotStarveTheNextCommand() throws SandboxFailure {
        String other = "c-" + UUID.randomUUID();
        sandbox().createCell(CellSpec.of(other).withLimits(new CellLimits(1L << 30, 64, 1L << 30)));
        sandbox().run(other, CommandRequest.of("1", "b() { b | b & }; b 2>/dev/null", LONG));
        CommandResult after =
                sandbox().run(other, CommandRequest.of("2", "until ls -d /etc; do :; done 2>/dev/null", LONG));
        sandbox().deleteCell(other);
        // The shell itself may have said that it tries again to fork.
        assertThat(after.output()).endsWith("/etc\n");
    }

    @Test
    void tooMuchMemoryHitsThisCellAndSaysSo() throws SandboxFailure {
        String other = "c-" + UUID.randomUUID();
        sandbox().createCell(CellSpec.of(other).withLimits(new CellLimits(64L << 20, 64, 1L << 30)));
        CommandResult result = sandbox()
                .run(
                        other,
                        CommandRequest.of(
                                "1", "python3 -c 'import time; a = bytearray(300 << 20); time.sleep(30)'", LONG));
        sandbox().deleteCell(other);
        assertThat(result.ending()).isEqualTo(Ending.OVER_LIMIT);
        assertThat(result.exitCode()).isEqualTo(137);
        assertThat(result.notice()).contains("MiB of memory").contains("python3");
        assertThat(output("echo others go on")).isEqualTo("others go on\n");
    }

    @Test
    void tooMuchDiskHitsThisCellAndSaysSo() throws SandboxFailure {
        String other = "c-" + UUID.randomUUID();
        sandbox().createCell(CellSpec.of(other).withLimits(new CellLimits(1L << 30, 64, 8L << 20)));
        CommandResult oneFile =
                sandbox().run(other, CommandRequest.of("1", "head -c 20000000 /dev/zero >/big; wc -c </big", LONG));
        CommandResult many = sandbox()
                .run(
                        other,
                        CommandRequest.of(
                                "2",
                                "i=0; while :; do head -c 1000000 /dev/zero >/part$i; i=$((i + 1)); [ $i -lt 100 ] || sleep 20; done",
                                LONG));
        sandbox().deleteCell(other);
        assertThat(oneFile.output()).endsWith("8388608\n");
        assertThat(many.notice()).contains("to disk");
    }

    @Test
    void filesGoInAndOutWithoutLeavingTheCell() throws SandboxFailure {
        byte[] tar = new TarWriter()
                .folder("d", 0755)
                .file("d/f-ä", 0640, "text".getBytes(StandardCharsets.UTF_8))
                .file("d/" + "n".repeat(150), 0644, new byte[0])
                .link("d/out", "/etc")
                .toByteArray();
        byte[] throughTheLink = new TarWriter()
                .file("planted", 0644, "x".getBytes(StandardCharsets.UTF_8))
                .toByteArray();
        sandbox().putFiles(cell, "/in/here", new ByteArrayInputStream(tar));
        sandbox().putFiles(cell, "/in/here/d/out", new ByteArrayInputStream(throughTheLink));
        assertThat(output("cd /in/here/d; cat f-ä; stat -c ' %a %u' f-ä; cat /etc/planted; ls | wc -l"))
                .isEqualTo("text 640 0\nx3\n");
        assertThat(RootFileSystems.DEBIAN.folder().resolve("etc/planted")).doesNotExist();

        byte[] got = sandbox().getFiles(cell, List.of("/in/here/d/f-ä"), 1 << 20);
        assertThat(TarEntry.all(got).getFirst().content()).startsWith("text".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> sandbox().getFiles(cell, List.of("/nowhere"), 1 << 20))
                .isInstanceOfSatisfying(
                        SandboxFailure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(SandboxFailure.Reason.NOT_FOUND));
        run("truncate -s 2G /huge");
        assertThatThrownBy(() -> sandbox().getFiles(cell, List.of("/huge"), 1 << 20))
                .isInstanceOfSatisfying(
                        SandboxFailure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(SandboxFailure.Reason.TOO_LARGE));
    }

    @Test
    void changesAreExactlyWhatTheCellChanged() throws SandboxFailure {
        run("mkdir /new; echo x >/new/file; rm /etc/issue; rm -rf /media; mkdir /media; ln -s a /l");
        Changes changes = sandbox().changes(cell);
        assertThat(changes.written()).contains("/new/", "/new/file", "/l", "/media/");
        assertThat(changes.deleted()).containsExactlyInAnyOrder("/etc/issue", "/media");
    }

    @Test
    void aStackedCellHasTheFilesAndNoneOfTheProcesses() throws SandboxFailure {
        run("echo kept >/kept; rm /etc/issue; sleep 999 &");
        String top = cell + ".top";
        sandbox().createCell(CellSpec.of(top).stackedOn(cell));
        CommandResult result = sandbox()
                .run(
                        top,
                        CommandRequest.of(
                                "1", "cat /kept; ls /etc/issue; pgrep -f '^sleep 999'; echo new >/kept", LONG));
        assertThat(result.output()).startsWith("kept\n").contains("No such file");
        assertThat(result.output().lines()).hasSize(2);
        assertThatThrownBy(() -> run("true"))
                .isInstanceOfSatisfying(
                        SandboxFailure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(SandboxFailure.Reason.CONFLICT));
        sandbox().deleteCell(top);
    }

    @Test
    void aServerOfOneCommandIsUsedByALaterOne() throws SandboxFailure {
        run("perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(LocalAddr => \"127.0.0.1\", LocalPort => 4000, "
                + "Listen => 5); while ($c = $s->accept) { print $c \"served\\n\"; close $c }' >/dev/null 2>&1 &");

        assertThat(output("for i in $(seq 300); do { exec 3<>/dev/tcp/127.0.0.1/4000; } 2>/dev/null && break; "
                        + "sleep 0.1; done; cat <&3"))
                .isEqualTo("served\n");
    }

    @Test
    void twoThousandVariablesAreNoTrouble() throws SandboxFailure {
        run("for i in $(seq 2000); do export V$i=" + "x".repeat(20) + "; done");
        assertThat(output("env | grep -c ^V")).isEqualTo("2000\n");
    }

    @Test
    void cellsThatLiveAreListed() throws SandboxFailure {
        run("sleep 555 &");
        assertThat(sandbox().cells())
                .filteredOn(status -> status.id().equals(cell))
                .singleElement()
                .satisfies(status -> {
                    assertThat(status.state()).isEqualTo(CellStatus.State.IDLE);
                    assertThat(status.processes()).isGreaterThanOrEqualTo(3);
                    assertThat(status.commands()).isEqualTo(1);
                });
    }
}
