import ctypes
import subprocess


def test_library():
    library = ctypes.CDLL("/app/libgcd.so")
    library.gcd.restype = ctypes.c_ulong
    assert library.gcd(ctypes.c_ulong(84), ctypes.c_ulong(36)) == 12


def test_program():
    run = subprocess.run(["/app/gcd", "84", "36"], env={}, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "12"


def test_program_needs_the_library():
    linked = subprocess.run(["ldd", "/app/gcd"], capture_output=True, text=True, check=True).stdout
    assert "/app/libgcd.so" in linked
