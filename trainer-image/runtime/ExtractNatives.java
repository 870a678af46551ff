import ai.djl.engine.Engine;
import ai.djl.huggingface.tokenizers.jni.LibUtils;

/** Loads libtorch and the tokenizers once, which unpacks their libraries into ENGINE_CACHE_DIR. */
class ExtractNatives {
    public static void main(String[] arguments) {
        System.out.println(Engine.getEngine("PyTorch"));
        LibUtils.checkStatus();
    }
}
