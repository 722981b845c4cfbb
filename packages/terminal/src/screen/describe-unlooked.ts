/** Says of a root that a rollback knows nothing of its files, and why. */
export function describeUnlooked(root: string, where: string): string {
  const why = `no folder is bound to it ${where}`;
  return `files of root ${root} were not compared: ${why}; those that changed since are left`;
}
