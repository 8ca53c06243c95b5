/** The clock of the product's processes and their PostgreSQL, which the proof moves while they run. */
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findLibrary } from '../moved-clock.ts'

type Move = { at: number; from: number; to: number; graceMs: number }

/** How long after a move a message begun before it may still be taken: calls to carriers end by then. */
const IN_FLIGHT_MS = 20_000
/** Time in which every process reads the new clock. */
const READ_MS = 250

export class Clock {
  readonly moves: Move[] = []
  readonly #folder = mkdtempSync(join(tmpdir(), 'liftwell-clock-'))
  readonly #file = join(this.#folder, 'offset')
  #offset = 0

  constructor(start: Date) {
    chmodSync(this.#folder, 0o755)
    this.#set(start.getTime() - Date.now())
  }

  /** The environment of processes with this clock. */
  get env(): Record<string, string> {
    return {
      LD_PRELOAD: findLibrary(),
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    }
  }

  now(): Date {
    return new Date(Date.now() + this.#offset)
  }

  /** `isBusy`: calls to carriers may be running. */
  moveTo(time: Date, isBusy: boolean): void {
    const from = this.#offset
    const to = time.getTime() - Date.now()
    this.moves.push({ at: Date.now(), from, to, graceMs: isBusy ? IN_FLIGHT_MS : READ_MS })
    this.#set(to)
  }

  moveBy(minutes: number, isBusy: boolean): void {
    this.moveTo(new Date(this.now().getTime() + minutes * 60_000), isBusy)
  }

  /** What the clock showed at a real moment; several times if it had just been moved. */
  readings(at: number): Date[] {
    const last = this.moves.findLast((move) => move.at <= at)
    const offset = last ? last.to : (this.moves[0]?.from ?? this.#offset)
    const recent = this.moves.filter((move) => move.at <= at && at - move.at <= move.graceMs)
    return [...new Set([offset, ...recent.map(({ from }) => from)])].map((one) => new Date(at + one))
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Renamed into place, so that nobody reads half a number. */
  #set(offset: number): void {
    const seconds = (offset / 1000).toFixed(3)
    writeFileSync(`${this.#file}.new`, `${offset < 0 ? '' : '+'}${seconds}s\n`)
    renameSync(`${this.#file}.new`, this.#file)
    this.#offset = offset
  }
}
