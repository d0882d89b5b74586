/** Whether a database's URL names PostgreSQL: `postgres://…` or `postgresql://…`; all else is a SQLite file. */
export const isPostgresUrl = (url: string): boolean => /^postgres(ql)?:\/\//i.test(url);
