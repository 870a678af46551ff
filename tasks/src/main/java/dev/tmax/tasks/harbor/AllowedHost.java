package dev.tmax.tasks.harbor;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** An entry of an allow list: host name, {@code *.} and a host name, address, or CIDR block without host bits. */
final class AllowedHost {
    private static final String LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
    private static final Pattern NAME = Pattern.compile("(\\*\\.)?" + LABEL + "(\\." + LABEL + ")*");
    private static final Pattern ONLY_DIGITS_AND_DOTS = Pattern.compile("[0-9.]+");

    private AllowedHost() {}

    /** In lower case, without a trailing dot; empty where it is none of these. */
    static Optional<String> normalize(String written) {
        String host = written.strip().toLowerCase(Locale.ROOT);
        host = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        int slash = host.indexOf('/');
        if (slash >= 0) {
            return isBlock(host.substring(0, slash), host.substring(slash + 1)) ? Optional.of(host) : Optional.empty();
        }
        if (address(host).isPresent()) {
            return Optional.of(host);
        }
        boolean name = host.length() <= 253
                && NAME.matcher(host).matches()
                && !ONLY_DIGITS_AND_DOTS.matcher(host).matches();
        return name ? Optional.of(host) : Optional.empty();
    }

    private static boolean isBlock(String address, String bits) {
        Optional<byte[]> bytes = address(address);
        if (bytes.isEmpty() || !bits.matches("[0-9]{1,3}")) {
            return false;
        }
        int hostBits = bytes.get().length * 8 - Integer.parseInt(bits);
        BigInteger value = new BigInteger(1, bytes.get());
        return hostBits >= 0 && (value.signum() == 0 || value.getLowestSetBit() >= hostBits);
    }

    /** The bytes of an address written in full; a name is never looked up. */
    private static Optional<byte[]> address(String text) {
        boolean four = text.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
        boolean six = text.contains(":") && text.matches("[0-9a-f:.]+");
        if (!four && !six) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(text).getAddress());
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }
}
