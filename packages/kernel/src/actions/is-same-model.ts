/**
 * True when the model that answered is the requested one.
 *
 * A snapshot of a model is that model: `large` may answer as `large-2026-01-01` or `large-001`, and
 * `large-latest` as any of them. A provider may leave out, or add, the path before a name. All else
 * is another model: `large-mini` is not `large`.
 */
import { MODEL_NAME_LENGTH_MAX } from "../limits.ts";

const snapshot = /^[-@:](?:\d{3,8}|\d{4}-\d{2}-\d{2}|latest)$/;
const latest = /[-@:]latest$/;

export function isSameModel(asked: string, answered: string): boolean {
  const hasBothPaths = asked.includes("/") && answered.includes("/");
  const [wanted, given] = hasBothPaths ? [asked, answered] : [lastName(asked), lastName(answered)];
  const base = wanted.replace(latest, "");
  return given === wanted || given === base || isSnapshot(given, base);
}

function isSnapshot(name: string, base: string): boolean {
  return name.startsWith(base) && snapshot.test(name.slice(base.length));
}

function lastName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** Checks the name of a model: it stands in the log as plain text, which no erasure removes. */
export function isModelName(name: string): boolean {
  return name.length <= MODEL_NAME_LENGTH_MAX && /^[!-~]+$/.test(name);
}
