package dev.tmax.model.openai;

import java.util.Optional;

/** A request that cannot be answered, as OpenAI's clients expect to be told. */
final class ApiException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String parameter;
    private final String code;

    private ApiException(int status, String message, String parameter, String code) {
        super(message);
        this.status = status;
        this.parameter = parameter;
        this.code = code;
    }

    /** Status 400. */
    static ApiException invalid(String parameter, String message) {
        return new ApiException(400, parameter + ": " + message, parameter, null);
    }

    /** Status 400: the body is no request at all. */
    static ApiException unreadable(String message) {
        return new ApiException(400, message, null, null);
    }

    /** Status 400: prompt and answer do not fit. */
    static ApiException tooLong(String parameter, String message) {
        return new ApiException(400, parameter + ": " + message, parameter, "context_length_exceeded");
    }

    static ApiException unknownModel(String model, String served) {
        return new ApiException(
                404, "model: '" + model + "' is not served here; use '" + served + "'", "model", "model_not_found");
    }

    static ApiException unknownPath(String path) {
        return new ApiException(
                404,
                "unknown path " + path + "; there are GET /v1/models, POST /v1/completions, POST /v1/chat/completions",
                null,
                "unknown_url");
    }

    static ApiException wrongMethod(String path, String allowed) {
        return new ApiException(405, path + " takes " + allowed, null, "method_not_allowed");
    }

    static ApiException failed(String message) {
        return new ApiException(500, message, null, null);
    }

    int status() {
        return status;
    }

    String type() {
        return status >= 500 ? "server_error" : "invalid_request_error";
    }

    Optional<String> parameter() {
        return Optional.ofNullable(parameter);
    }

    Optional<String> code() {
        return Optional.ofNullable(code);
    }
}
