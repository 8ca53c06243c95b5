/** Metrics for Prometheus. Labels come from short closed lists: never an id, never a person. */
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

export const unhandledRejections = new Counter({
  name: 'unhandled_rejections_total',
  help: 'Failures that nobody waited for: mistakes of ours, though they end nothing.',
  registers: [registry],
})

export const browserFailures = new Counter({
  name: 'browser_failures_total',
  help: 'Failures that browsers told of.',
  labelNames: ['kind'],
  registers: [registry],
})

export const requestsRefused = new Counter({
  name: 'http_requests_refused_total',
  help: 'Requests refused before they reached the site.',
  labelNames: ['reason'],
  registers: [registry],
})

export const carrierCircuit = new Gauge({
  name: 'carrier_circuit',
  help: 'State of the circuit breaker in front of a carrier: 1 for the state it is in.',
  labelNames: ['carrier', 'state'],
  registers: [registry],
})

export const carrierCalls = new Counter({
  name: 'carrier_calls_total',
  help: 'Messages handed to a carrier, by what came of it.',
  labelNames: ['carrier', 'outcome'],
  registers: [registry],
})
