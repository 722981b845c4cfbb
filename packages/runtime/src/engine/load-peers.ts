/** Loads the libraries that only runs under an engine need. Users install them on demand. */
import type * as Postgres from "@turnseal/adapters/postgres";
import type * as Restate from "@turnseal/host/restate";

export type Peers =
  | ({ readonly kind: "loaded" } & typeof Postgres & typeof Restate)
  | { readonly kind: "missing"; readonly message: string; readonly next: string };

export async function loadPeers(): Promise<Peers> {
  try {
    const [postgres, restate] = await Promise.all([
      import("@turnseal/adapters/postgres"),
      import("@turnseal/host/restate"),
    ]);
    return { kind: "loaded", ...postgres, ...restate };
  } catch (error) {
    const isMissing =
      error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing) throw error;
    return {
      kind: "missing",
      message: "runs under an engine need packages that are not installed",
      next: "npm install pg @restatedev/restate-sdk",
    };
  }
}
