/** Where a server listens when nobody says. */
export const SERVE_PORT_DEFAULT = 8787;
