/** A tunnel to a checked address. The proxy does not see its content. */
import { connect, type Socket } from "node:net";
import { pipeline } from "node:stream";
import type { CheckedAddress } from "../web/address-guard.ts";
import { guard } from "./guard.ts";
import { PROXY_CONNECT_MS_MAX, PROXY_IDLE_MS } from "./limits.ts";

export interface Way {
  readonly url: URL;
  readonly address: CheckedAddress;
  /** Counts a connection to a host, and ends it with the proxy. */
  hold(socket: Socket): void;
}

/** `head` is what the client sent before it was answered. */
export function openTunnel(
  { client, head }: { readonly client: Socket; readonly head: Buffer },
  { url, address: { address, family }, hold }: Way,
): void {
  const port = Number(url.port || 443);
  const host = connect({ host: address, port, family, allowHalfOpen: true });
  const fail = () => {
    host.destroy();
    client.destroy();
  };
  host.on("error", () => host.destroy());
  hold(host);
  host.setTimeout(PROXY_CONNECT_MS_MAX, () => host.destroy());
  const onFailure = guard(() => {
    client.end("HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n");
  }, fail);
  host.once("close", onFailure);
  const onConnect = () => {
    host.off("close", onFailure);
    host.setTimeout(PROXY_IDLE_MS, () => host.destroy());
    client.setTimeout(PROXY_IDLE_MS, () => client.destroy());
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) client.unshift(head);
    const onEnd = (error: Error | null | undefined) => {
      if (error != null) fail();
    };
    pipeline(client, host, onEnd);
    pipeline(host, client, onEnd);
  };
  host.once("connect", guard(onConnect, fail));
}
