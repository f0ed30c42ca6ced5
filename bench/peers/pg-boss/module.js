// The only way to pg-boss: here it is found in this folder's own node_modules.
import PgBoss from 'pg-boss'

export { PgBoss }
