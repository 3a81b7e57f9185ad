/** Logs of one info. Each is its number of topics, size of data and address, then its topics and its data. */
import { hexTo } from "../hex_digits";
import { takeRoom } from "../room";
import {
  CLOSE_FIELDS,
  CLOSE_LIST,
  COMMA,
  isText,
  name,
  OPEN_FIELDS,
  OPEN_LIST,
  SeenNames,
  skip,
  Text,
  take,
  text,
} from "../text";

/** Bytes of a log without topics and data. */
const LOG_BYTES: usize = 32;
const ADDRESS_BYTES: usize = 20;
const TOPIC_BYTES: usize = 32;
const MOST_TOPICS: usize = 4;
/** `41`, which logs mostly omit, as its two characters load as one word. */
const PREFIX: u16 = 0x3134;
const PREFIX_DIGITS: usize = 2;

const OF_ADDRESS: u32 = 1;
const OF_TOPICS: u32 = 2;
const OF_DATA: u32 = 4;

export let log_count: u32 = 0;

const met = new SeenNames();
/** Digits of the log being read. */
let address: usize = 0;
const TOPICS: usize = memory.data(32);
let topics: usize = 0;
let data: usize = 0;
let data_size: usize = 0;

/** Returns false if the logs do not have the usual form. */
export function readLogs(): bool {
  log_count = 0;
  if (!take(OPEN_LIST)) return false;
  if (take(CLOSE_LIST)) return true;
  do {
    if (!readLog() || !write()) return false;
    log_count++;
  } while (take(COMMA));
  return take(CLOSE_LIST);
}

function readLog(): bool {
  met.begin();
  topics = 0;
  data_size = 0;
  if (!take(OPEN_FIELDS)) return false;
  do if (!name() || !readField()) return false;
  while (take(COMMA));
  return take(CLOSE_FIELDS) && met.hasAll(OF_ADDRESS);
}

function readField(): bool {
  if (isText("address")) return met.isFirst(OF_ADDRESS) && readAddress();
  if (isText("topics")) return met.isFirst(OF_TOPICS) && readTopics();
  if (!isText("data")) return skip();
  if (!met.isFirst(OF_DATA) || !text()) return false;
  data = Text.from;
  data_size = (Text.to - Text.from) >> 1;
  return ((Text.to - Text.from) & 1) === 0;
}

function readAddress(): bool {
  if (!text()) return false;
  const digits = Text.to - Text.from;
  address = Text.to - 2 * ADDRESS_BYTES;
  if (digits === 2 * ADDRESS_BYTES) return true;
  return digits === 2 * ADDRESS_BYTES + PREFIX_DIGITS && load<u16>(Text.from) === PREFIX;
}

function readTopics(): bool {
  if (!take(OPEN_LIST)) return false;
  if (take(CLOSE_LIST)) return true;
  do {
    if (topics === MOST_TOPICS || !text() || Text.to - Text.from !== 2 * TOPIC_BYTES) return false;
    store<usize>(TOPICS + 4 * topics++, Text.from);
  } while (take(COMMA));
  return take(CLOSE_LIST);
}

function write(): bool {
  const to = takeRoom(LOG_BYTES + TOPIC_BYTES * topics + data_size);
  if (to === 0) return false;
  store<u32>(to, u32(topics));
  store<u32>(to, u32(data_size), 4);
  if (!hexTo(address, to + 8, ADDRESS_BYTES)) return false;
  let next_at = to + LOG_BYTES;
  for (let i: usize = 0; i < topics; i++) {
    if (!hexTo(load<usize>(TOPICS + 4 * i), next_at, TOPIC_BYTES)) return false;
    next_at += TOPIC_BYTES;
  }
  return hexTo(data, next_at, data_size);
}
