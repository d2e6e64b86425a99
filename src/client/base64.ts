/** Base64 (RFC 4648 section 4) of bytes. Not `Buffer`, which only Node has. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  // one by one: a call with an argument for each byte of a chain could be too large
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
