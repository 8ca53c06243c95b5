/** The clock of the product's processes and their PostgreSQL, which the proof moves while they run. */
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findLibrary } from '../moved-clock.ts'

type Move = { at: number; from: number; to: number; graceMs: number }

/** What was begun before a move may be taken this long after it: a call to a carrier ends by then. */
const IN_FLIGHT_MS = 20_000
/** Until every process has read the new time. */
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

  /** What processes need to have this clock. */
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

  /** `isBusy`: calls to carriers may be under way. */
  moveTo(time: Date, isBusy: boolean): void {
    const from = this.#offset
    const to = time.getTime() - Date.now()
    this.moves.push({ at: Date.now(), from, to, graceMs: isBusy ? IN_FLIGHT_MS : READ_MS })
    this.#set(to)
  }

  moveBy(minutes: number, isBusy: boolean): void {
    this.moveTo(new Date(this.now().getTime() + minutes * 60_000), isBusy)
  }

  /** What the clock showed at a moment of ours; more than one time where it had just been moved. */
  readings(at: number): Date[] {
    const last = this.moves.findLast((move) => move.at <= at)
    const offset = last ? last.to : (this.moves[0]?.from ?? this.#offset)
    const recent = this.moves.filter((move) => move.at <= at && at - move.at <= move.graceMs)
    return [...new Set([offset, ...recent.map(({ from }) => from)])].map((one) => new Date(at + one))
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** As a whole: nobody reads half a number. */
  #set(offset: number): void {
    const seconds = (offset / 1000).toFixed(3)
    writeFileSync(`${this.#file}.new`, `${offset < 0 ? '' : '+'}${seconds}s\n`)
    renameSync(`${this.#file}.new`, this.#file)
    this.#offset = offset
  }
}
