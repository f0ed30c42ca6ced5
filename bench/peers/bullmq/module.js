// The only way to BullMQ: here it is found in this folder's own node_modules.
export { Queue, Worker } from 'bullmq'
