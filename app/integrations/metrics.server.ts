/** Counts and times for Prometheus. Labels come from short closed lists: never an id, never a person. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export const registry = new Registry()
collectDefaultMetrics({ register: registry })

export const requestSeconds = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from the first byte in to the last byte out.',
  labelNames: ['method', 'area', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers: [registry],
})

export const requestsInFlight = new Gauge({
  name: 'http_requests_in_flight',
  help: 'Requests being answered now.',
  registers: [registry],
})

export const requestsRefused = new Counter({
  name: 'http_requests_refused_total',
  help: 'Requests refused before they reached the site.',
  labelNames: ['reason'],
  registers: [registry],
})
