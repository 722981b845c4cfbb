import { GUIDANCE_REF_LENGTH_MAX, type GuidanceRefusal } from "./guidance.ts";

// Allows one readable line, without marks that could end a frame.
const readableSegment = /^[\p{L}\p{M}\p{N}._@+=,()-][\p{L}\p{M}\p{N} ._@+=,()-]*$/u;

/**
 * Why a reference is refused. One names a document below a folder, the same on every system: no
 * root, no step upwards, no backslash, no address.
 */
export function checkGuidanceRef(ref: string): GuidanceRefusal | undefined {
  if (ref.length === 0 || ref.length > GUIDANCE_REF_LENGTH_MAX) return "ref-unreadable";
  if (/^[a-z]:([\\/]|$)/i.test(ref) || /^[\\/~]/.test(ref)) return "ref-absolute";
  if (/^[a-z][a-z0-9+.-]*:/i.test(ref)) return "ref-url";
  const segments = ref.split(/[\\/]/);
  if (segments.includes("..")) return "ref-outside";
  const isReadable = segments.every((segment) => segment !== "." && readableSegment.test(segment));
  return isReadable && !ref.includes("\\") ? undefined : "ref-unreadable";
}
