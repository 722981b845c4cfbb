/** What holds for workers when nobody says otherwise. */

/** Where the engine finds a worker, and where operators do. */
export const WORKER_PORT_DEFAULT = 9080;
export const METRICS_PORT_DEFAULT = 9464;
/** How long a worker that is told to stop waits for what it began. */
export const DRAIN_MS_DEFAULT = 60_000;
/** How many ports everything of `dev` listens on, and the first of them. */
export const DEV_PORTS = 5;
export const DEV_PORTS_DEFAULT = 28_080;
/** What may be done with tenants, as `tenant` names it. */
export const TENANT_STEPS = ["add", "list", "limit", "suspend", "resume", "delete"] as const;
export type TenantStep = (typeof TENANT_STEPS)[number];
/** The steps of a deployment, as `deploy` names them. */
export const DEPLOY_STEPS = ["register", "status", "promote", "drain", "remove"] as const;
export type DeployStep = (typeof DEPLOY_STEPS)[number];
/** Entries on one page of the log of the deployment. */
export const AUDIT_LIMIT_DEFAULT = 100;
