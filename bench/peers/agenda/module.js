// The only way to Agenda: here it is found in this folder's own node_modules.
export { PostgresBackend } from '@agendajs/postgres-backend'
export { Agenda } from 'agenda'
