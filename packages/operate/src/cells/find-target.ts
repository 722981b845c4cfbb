/** The target of a request, as far as a router needs it. */
import { isUuid } from "@turnseal/protocol";

export type Target =
  | { readonly kind: "health" }
  /** A page over all cells: the field of its answer that has the rows. */
  | { readonly kind: "list"; readonly rows: "runs" | "requests" }
  /** Its key, if it has one, is in the body. */
  | { readonly kind: "start" }
  /** Its name is in the body. */
  | { readonly kind: "talk"; readonly agent: string }
  | { readonly kind: "run"; readonly run: string }
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "chat"; readonly agent: string; readonly id: string }
  /** The same everywhere: what can be started, and what is no route. */
  | { readonly kind: "any" };

/** `url` is the target of a request, with its query. */
export function findTarget(method: string, url: string): Target {
  const [path = ""] = url.split("?", 1);
  const [root, version, subject, first, second] = path.split("/").map(decode);
  if (root !== "" || version !== "v1") return { kind: "any" };
  const isPost = method === "POST";
  if (subject === "health" && first === undefined) return { kind: "health" };
  if (subject === "runs" && first === undefined)
    return isPost ? { kind: "start" } : listOf(method, "runs");
  if (subject === "inbox" && first === undefined) return listOf(method, "requests");
  if (first === undefined) return { kind: "any" };
  if (subject === "runs") return isUuid(first) ? { kind: "run", run: first } : { kind: "any" };
  if (subject === "starts") return { kind: "key", key: first };
  if (subject !== "chats") return { kind: "any" };
  if (second !== undefined) return { kind: "chat", agent: first, id: second };
  return isPost ? { kind: "talk", agent: first } : { kind: "any" };
}

function listOf(method: string, rows: "runs" | "requests"): Target {
  return method === "GET" ? { kind: "list", rows } : { kind: "any" };
}

/** As servers read a part of a path. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
