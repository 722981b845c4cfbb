/** Why a server cannot listen, in words; undefined for any other error. */
export function describeListening(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { syscall, code, address, port, hostname } = error as NodeJS.ErrnoException & {
    readonly address?: string;
    readonly port?: number;
    readonly hostname?: string;
  };
  if (syscall === "listen") return `cannot listen on ${address}:${port} (${code})`;
  return syscall === "getaddrinfo"
    ? `${hostname} is not a name of this machine (${code})`
    : undefined;
}
