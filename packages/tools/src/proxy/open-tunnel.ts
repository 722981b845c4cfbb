/** A tunnel to a checked address. The proxy does not see its content. */
import { connect, type Socket } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import type { CheckedAddress } from "../web/address-guard.ts";
import { PROXY_CONNECT_MS_MAX, PROXY_IDLE_MS } from "./limits.ts";
import type { Meter } from "./meter.ts";

export interface Way {
  readonly url: URL;
  readonly address: CheckedAddress;
  readonly meter: Meter;
  hold(socket: Duplex): void;
}

/** `head` is what the client sent before it was answered. */
export function openTunnel(
  { client, head }: { readonly client: Socket; readonly head: Buffer },
  { url, address: { address, family }, meter, hold }: Way,
): void {
  const port = Number(url.port || 443);
  const host = connect({ host: address, port, family, allowHalfOpen: true });
  hold(host);
  host.setTimeout(PROXY_CONNECT_MS_MAX, () => host.destroy());
  const onFailure = () => client.end("HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n");
  host.once("close", onFailure);
  host.on("error", () => host.destroy());
  host.once("connect", () => {
    host.off("close", onFailure);
    host.setTimeout(PROXY_IDLE_MS, () => host.destroy());
    client.setTimeout(PROXY_IDLE_MS, () => client.destroy());
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) client.unshift(head);
    const onEnd = (error: Error | null | undefined) => {
      if (error == null) return;
      host.destroy();
      client.destroy();
    };
    pipeline(client, meter.measure(), host, onEnd);
    pipeline(host, meter.measure(), client, onEnd);
  });
}
