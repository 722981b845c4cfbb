/**
 * The beginning of every statement that gives a run a row without holding its epoch.
 *
 * Makes the head row of a run that has none. Otherwise it takes a weak lock: appends go on beside
 * it, and only an erasure has to wait, or makes it wait. So the following statements know for
 * certain whether the run was erased.
 */
export const OPEN_RUN = `
  existing as (
    select is_erased, period from turnseal.head where tenant = $1 and run = $2 for key share),
  opened as (
    insert into turnseal.head (tenant, run)
    select $1, $2 where not exists (select from existing)
    returning is_erased, period),
  opened_run as (
    select is_erased, period from existing union all select is_erased, period from opened)`;

/** The period that has what the run has much of: nothing else is looked through for it. */
export const PERIOD_OF_RUN = "(select period from turnseal.head where tenant = $1 and run = $2)";
