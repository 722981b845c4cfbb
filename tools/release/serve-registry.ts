/**
 * A registry on this machine for the packed packages: installing from it gives what would be
 * published. For everything else it points to the registry that npm knows.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { run } from "./run.ts";

export interface Registry {
  readonly url: string;
  close(): void;
}

interface Packed {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly tarball: string;
  readonly bytes: Buffer;
}

/** Serves the tarballs of a folder. */
export async function serveRegistry(packed: string, upstream: string): Promise<Registry> {
  const packages = new Map(
    readdirSync(packed)
      .filter((name) => name.endsWith(".tgz"))
      .map((tarball) => readPacked(packed, tarball))
      .map((each) => [each.manifest.name, each]),
  );
  const server = createServer(({ url = "/" }, response) => {
    const name = decodeURIComponent(url.slice(1).split("?")[0] ?? "");
    const tarball = [...packages.values()].find((each) => `-/${each.tarball}` === name);
    if (tarball !== undefined) return void response.end(tarball.bytes);
    const found = packages.get(name);
    if (found !== undefined) return sendJson(response, describe(found, originOf(server)));
    response.writeHead(307, { location: new URL(url.slice(1), upstream).href }).end();
  });
  await new Promise<void>((resume) => {
    server.listen(0, "127.0.0.1", resume);
  });
  return { url: originOf(server), close: () => server.close() };
}

function originOf(server: ReturnType<typeof createServer>): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function readPacked(folder: string, tarball: string): Packed {
  const manifest = JSON.parse(run(["tar", "-xOf", tarball, "package/package.json"], folder));
  return { manifest, tarball, bytes: readFileSync(join(folder, tarball)) };
}

/** Answers npm's request to a registry: the versions of a package, and the address of each. */
function describe({ manifest, tarball, bytes }: Packed, origin: string): object {
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  const dist = { tarball: `${origin}/-/${tarball}`, integrity };
  const { name, version } = manifest;
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

function sendJson(response: ServerResponse, value: object): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
}
