/**
 * Base64, strict: text that does not encode back to itself is refused, so that the same bytes have
 * one form.
 */

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  // A call takes only so many arguments.
  for (let start = 0; start < bytes.length; start += 0x8000) {
    // Spreading bytes into arguments takes ten times as long.
    binary += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}

/** The bytes, or undefined when the text is not exactly what encoding them gives. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
    return toBase64(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** base64url without padding. */
export function base64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The bytes of base64url without padding, or undefined when encoding them gives another text. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const padding = "=".repeat((4 - (text.length % 4)) % 4);
  const bytes = fromBase64(text.replaceAll("-", "+").replaceAll("_", "/") + padding);
  return bytes !== undefined && base64Url(bytes) === text ? bytes : undefined;
}
