/** What must be in no log, by its form: whatever a test sent or got, wherever it sent it. */

const SECRET_FORMS: readonly RegExp[] = [
  // an access token, and a CCG token: <kid>.<...>
  /\b\d{8}T\d{6}Z\.[\w-]{20,}/,
  // an authorization code: the object's id, the secret
  /\b[0-9a-f]{64}\.[\w-]{43}/,
  // base64 of a certificate or a key begins so: a DER SEQUENCE of 256 bytes or more
  /\bMII[A-Za-z0-9+/_-]{20,}/,
  /-----BEGIN/,
  /sandbox-secret|other-secret/,
  new RegExp(btoa("sandbox-fi:sandbox-secret").slice(0, 24)),
  // one hex or base64 text this long is a hash, a key or worse
  /[A-Za-z0-9+/_-]{80,}/,
  // an exception that nobody expected
  /"internal_error"|"stack":/,
];

/** wrangler lists the secrets when it starts: the name of this one has its public key, and its value must be hidden. */
const PUBLIC_KEY = /\bSIGNING_KEY_\d{8}T\d{6}Z_[0-9a-f]{64} \("\(hidden\)"\)/;

/** The lines of an output that hold a secret or a fault of the service. */
export const findLeaks = (output: string): string[] =>
  output.split("\n").filter((line) => SECRET_FORMS.some((form) => form.test(line.replace(PUBLIC_KEY, ""))));
