"""OpenSSL's libcrypto 3, called in one process, as a program that ../peers.ts asks (see there for its lines)."""

import base64
import ctypes
import ctypes.util
import sys

lib = ctypes.CDLL(ctypes.util.find_library("crypto"))
P, I, L = ctypes.c_void_p, ctypes.c_int, ctypes.c_long
for name, result, arguments in [
    ("d2i_X509", P, [P, P, L]), ("d2i_X509_CRL", P, [P, P, L]), ("d2i_OCSP_RESPONSE", P, [P, P, L]),
    ("X509_free", None, [P]), ("X509_CRL_free", None, [P]), ("OCSP_RESPONSE_free", None, [P]),
    ("OCSP_BASICRESP_free", None, [P]), ("OCSP_CERTID_free", None, [P]),
    ("X509_STORE_new", P, []), ("X509_STORE_free", None, [P]),
    ("X509_STORE_add_cert", I, [P, P]), ("X509_STORE_add_crl", I, [P, P]),
    ("X509_STORE_CTX_new", P, []), ("X509_STORE_CTX_free", None, [P]), ("X509_STORE_CTX_init", I, [P, P, P, P]),
    ("X509_STORE_CTX_get0_param", P, [P]), ("X509_VERIFY_PARAM_set_time", None, [P, ctypes.c_int64]),
    ("X509_VERIFY_PARAM_set_flags", I, [P, ctypes.c_ulong]), ("X509_verify_cert", I, [P]),
    ("X509_STORE_get0_param", P, [P]), ("X509_STORE_CTX_get0_chain", P, [P]), ("ERR_clear_error", None, []),
    ("OPENSSL_sk_new_null", P, []), ("OPENSSL_sk_push", I, [P, P]), ("OPENSSL_sk_free", None, [P]),
    ("OPENSSL_sk_num", I, [P]), ("OPENSSL_sk_value", P, [P, I]),
    ("OCSP_response_get1_basic", P, [P]), ("OCSP_basic_verify", I, [P, P, P, ctypes.c_ulong]),
    ("OCSP_cert_to_id", P, [P, P, P]), ("OCSP_resp_find_status", I, [P, P, P, P, P, P, P]),
    ("ASN1_TIME_cmp_time_t", I, [P, ctypes.c_int64]),
]:  # fmt: skip
    function = getattr(lib, name)
    function.restype, function.argtypes = result, arguments

CRL_CHECK, CRL_CHECK_ALL, X509_STRICT, EXTENDED_CRL, TRUST_OTHER = 0x4, 0x8, 0x20, 0x1000, 0x200


def parse(read, der):
    buffer = ctypes.create_string_buffer(der, len(der))
    return read(None, ctypes.byref(ctypes.c_void_p(ctypes.addressof(buffer))), len(der))


def ask(time, anchors, issuers, leaf, crls, answers):
    """Its own rules with X509_STRICT, which asks for what RFC 5280 asks for."""
    store, context, untrusted = lib.X509_STORE_new(), lib.X509_STORE_CTX_new(), lib.OPENSSL_sk_new_null()
    trusted = [parse(lib.d2i_X509, der) for der in anchors]
    others = [parse(lib.d2i_X509, der) for der in issuers]
    lists = [parse(lib.d2i_X509_CRL, der) for der in crls]
    certificate = parse(lib.d2i_X509, leaf[0])
    try:
        if not certificate:
            return False
        for one in filter(None, trusted):
            lib.X509_STORE_add_cert(store, one)
        for one in filter(None, lists):
            lib.X509_STORE_add_crl(store, one)
        for one in filter(None, others):
            lib.OPENSSL_sk_push(untrusted, one)
        lib.X509_VERIFY_PARAM_set_time(lib.X509_STORE_get0_param(store), time)
        lib.X509_STORE_CTX_init(context, store, certificate, untrusted)
        parameters = lib.X509_STORE_CTX_get0_param(context)
        lib.X509_VERIFY_PARAM_set_time(parameters, time)
        flags = X509_STRICT | (CRL_CHECK | CRL_CHECK_ALL | EXTENDED_CRL if lists else 0)
        lib.X509_VERIFY_PARAM_set_flags(parameters, flags)
        if lib.X509_verify_cert(context) != 1:
            return False
        chain = lib.X509_STORE_CTX_get0_chain(context)
        path = [lib.OPENSSL_sk_value(chain, i) for i in range(lib.OPENSSL_sk_num(chain))]
        return not answers or all(
            any(is_good(answer, path[i], path[i + 1], store, time) for answer in answers)
            for i in range(len(path) - 1)
        )
    finally:
        lib.X509_STORE_CTX_free(context)
        lib.X509_STORE_free(store)
        lib.OPENSSL_sk_free(untrusted)
        for one in [*trusted, *others, certificate]:
            lib.X509_free(one)
        for one in lists:
            lib.X509_CRL_free(one)
        lib.ERR_clear_error()


def is_good(answer, certificate, issuer, store, time):
    # its issuer was verified with the path, and may sign without being verified again
    signers = lib.OPENSSL_sk_new_null()
    lib.OPENSSL_sk_push(signers, issuer)
    response = parse(lib.d2i_OCSP_RESPONSE, answer)
    basic = lib.OCSP_response_get1_basic(response) if response else None
    identifier = lib.OCSP_cert_to_id(None, certificate, issuer)
    status, this, following = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p()
    try:
        # whether the answer is about this certificate costs less than its signature
        return (
            basic is not None
            and lib.OCSP_resp_find_status(
                basic, identifier, ctypes.byref(status), None, None, ctypes.byref(this), ctypes.byref(following)
            ) == 1
            and status.value == 0
            and lib.ASN1_TIME_cmp_time_t(this, time) <= 0
            and lib.ASN1_TIME_cmp_time_t(following, time) >= 0
            and lib.OCSP_basic_verify(basic, signers, store, TRUST_OTHER) == 1
        )  # fmt: skip
    finally:
        lib.OPENSSL_sk_free(signers)
        lib.OCSP_CERTID_free(identifier)
        lib.OCSP_BASICRESP_free(basic)
        lib.OCSP_RESPONSE_free(response)


def read(row):
    time, *fields = row.split("\t")
    return (int(time) // 1000, *([base64.b64decode(one) for one in field.split(",") if one] for field in fields))


for line in sys.stdin:
    command, *file = line.rstrip("\n").split("\t")
    if command == "load":
        with open(file[0]) as rows:
            cases = [read(row) for row in rows.read().split("\n")]
        print("loaded", flush=True)
    else:
        print("".join("1" if ask(*case) else "0" for case in cases), flush=True)
