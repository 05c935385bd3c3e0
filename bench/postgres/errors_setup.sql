-- Functions for the workload in which one statement in twenty fails: an error deep in PL/pgSQL, and
-- one that is caught there, so that a subtransaction is rolled back and the statement succeeds.
CREATE FUNCTION bench_fail(depth int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  IF depth = 0 THEN
    RETURN 1 / depth;
  END IF;
  RETURN bench_fail(depth - 1);
END $$;

CREATE FUNCTION bench_catch(account int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  UPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid = account;
  BEGIN
    UPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid = account;
    RETURN bench_fail(5);
  EXCEPTION WHEN division_by_zero THEN
    RETURN 0;
  END;
END $$;
