/*
 * A constant-product pool for tests and the demo: data and accounts of three instructions are those of Raydium CPMM
 * (raydium-io/raydium-cp-swap: initialize, swap_base_input, withdraw), the fee is always 0.25 % of what the vault really
 * got, and there are no other terms and no fees of a protocol. Never for real coins.
 *
 * Written for scripts/pool_program.ts: one function without calls, constants or globals. System calls are written as the
 * hash of their name; memory that outlives a statement lies on the heap that every program has.
 *
 * state of a pool (the account belongs to the program): vault 0, vault 1, mint of shares, 32 bytes each.
 */
typedef unsigned char u8;
typedef unsigned long long u64;
typedef long long i64;

#define INLINE static inline __attribute__((always_inline))
#define HEAP 0x300000000ULL
#define ACCOUNTS_MAX 24
#define GROWTH 10240

#define INITIALIZE 0xed9b980d1f6dafafULL
#define SWAP_BASE_INPUT 0xde331ec4da5abe8fULL
#define WITHDRAW 0x22a16d949c4612b7ULL
/* Bump of the authority that the program's address derives from "vault_and_lp_mint_auth_seed". */
#define AUTHORITY_BUMP 253
#define SEED_BYTES 27

#define ERR_SHORT 1
#define ERR_ACCOUNT 2
#define ERR_TAKEN 3
#define ERR_SLIPPAGE 4
#define ERR_UNKNOWN 5
#define ERR_EMPTY 6

struct account { const u8 *key; u64 *lamports; u64 data_len; u8 *data; const u8 *owner; u64 rent_epoch; u8 is_signer, is_writable, executable; };
struct meta { const u8 *key; u8 is_writable, is_signer; };
struct instruction { const u8 *program; struct meta *metas; u64 meta_count; u8 *data; u64 data_len; };
struct seed { const u8 *at; u64 len; };
struct seeds { struct seed *list; u64 count; };
struct wide { u64 high, low; };

/* All that is used across statements. */
struct desk {
  struct account accounts[ACCOUNTS_MAX];
  struct meta metas[4];
  struct instruction call;
  struct seed parts[2];
  struct seeds signer;
  u64 seed_words[4];
  u8 data[16];
};

typedef u64 invoke_signed(const struct instruction *, const struct account *, int, const struct seeds *, int);

INLINE u64 read64(const u8 *at) { return *(const u64 *)at; }
INLINE void write64(u8 *at, u64 value) {
  for (int i = 0; i < 8; i++) at[i] = (u8)(value >> (8 * i));
}
INLINE int same(const u8 *a, const u8 *b) {
  return read64(a) == read64(b) && read64(a + 8) == read64(b + 8) && read64(a + 16) == read64(b + 16) && read64(a + 24) == read64(b + 24);
}
INLINE void copy32(u8 *to, const u8 *from) {
  for (int i = 0; i < 4; i++) ((u64 *)to)[i] = ((const u64 *)from)[i];
}

INLINE struct wide times(u64 a, u64 b) {
  u64 al = a & 0xffffffff, ah = a >> 32, bl = b & 0xffffffff, bh = b >> 32;
  u64 low = al * bl, one = ah * bl, other = al * bh;
  u64 middle = (low >> 32) + (one & 0xffffffff) + (other & 0xffffffff);
  struct wide product = {ah * bh + (one >> 32) + (other >> 32) + (middle >> 32), (middle << 32) | (low & 0xffffffff)};
  return product;
}

/* The quotient has to fit into 64 bits, which it does where the high half is below the divisor. */
INLINE u64 divided(struct wide value, u64 by) {
  u64 rest = value.high, quotient = 0;
  for (int i = 63; i >= 0; i--) {
    u64 carry = rest >> 63;
    rest = (rest << 1) | ((value.low >> i) & 1);
    if (carry || rest >= by) {
      rest -= by;
      quotient |= 1ULL << i;
    }
  }
  return quotient;
}

INLINE u64 root(struct wide value) {
  u64 found = 0;
  for (int i = 63; i >= 0; i--) {
    u64 next = found | (1ULL << i);
    struct wide square = times(next, next);
    if (square.high < value.high || (square.high == value.high && square.low <= value.low)) found = next;
  }
  return found;
}

/* Asks a token program: `who` are accounts of ours, all writable but the last, which signs. */
INLINE u64 token(struct desk *desk, const u8 *program, const u64 *who, int who_count, u64 data_len, int count, int is_signed) {
  for (int i = 0; i < who_count; i++) {
    desk->metas[i].key = desk->accounts[who[i]].key;
    desk->metas[i].is_writable = i < who_count - 1 && desk->accounts[who[i]].is_writable;
    desk->metas[i].is_signer = i == who_count - 1;
  }
  desk->call.program = program;
  desk->call.metas = desk->metas;
  desk->call.meta_count = (u64)who_count;
  desk->call.data = desk->data;
  desk->call.data_len = data_len;
  return ((invoke_signed *)0xa22b9c85)(&desk->call, desk->accounts, count, &desk->signer, is_signed);
}

/* Tag 12 TransferChecked [from, mint, to, by]: amount and the decimals that the mint says. */
INLINE u64 transfer(struct desk *desk, const u8 *program, u64 from, u64 mint, u64 to, u64 by, u64 amount, int count, int is_signed) {
  u64 who[4] = {from, mint, to, by};
  if (desk->accounts[mint].data_len < 82) return ERR_ACCOUNT;
  desk->data[0] = 12;
  write64(desk->data + 1, amount);
  desk->data[9] = desk->accounts[mint].data[44];
  return token(desk, program, who, 4, 10, count, is_signed);
}

/* Tag 7 MintTo [mint, to, by], 8 Burn [from, mint, by]. */
INLINE u64 supply(struct desk *desk, const u8 *program, u8 tag, u64 first, u64 second, u64 by, u64 amount, int count, int is_signed) {
  u64 who[3] = {first, second, by};
  desk->data[0] = tag;
  write64(desk->data + 1, amount);
  return token(desk, program, who, 3, 9, count, is_signed);
}

/* Amount of a token account, supply of a mint. */
INLINE u64 amountOf(const struct account *account) { return account->data_len < 165 ? 0 : read64(account->data + 64); }
INLINE u64 supplyOf(const struct account *account) { return account->data_len < 82 ? 0 : read64(account->data + 36); }

u64 entrypoint(u8 *input) {
  struct desk *desk = (struct desk *)HEAP;
  u64 count = read64(input);
  u8 *at = input + 8;
  if (count > ACCOUNTS_MAX) return ERR_ACCOUNT;
  for (u64 i = 0; i < count; i++) {
    struct account *one = &desk->accounts[i];
    if (at[0] != 0xff) {
      *one = desk->accounts[at[0]];
      at += 8;
      continue;
    }
    one->is_signer = at[1];
    one->is_writable = at[2];
    one->executable = at[3];
    one->key = at + 8;
    one->owner = at + 40;
    one->lamports = (u64 *)(at + 72);
    one->data_len = read64(at + 80);
    one->data = at + 88;
    at += 88 + one->data_len + GROWTH;
    at = (u8 *)(((u64)at + 7) & ~7ULL);
    one->rent_epoch = read64(at);
    at += 8;
  }
  u64 data_len = read64(at);
  const u8 *data = at + 8;
  const u8 *self = data + data_len;
  if (data_len < 24) return ERR_SHORT;

  /* "vault_and_lp_mint_auth_seed" */
  desk->seed_words[0] = 0x6e615f746c756176ULL;
  desk->seed_words[1] = 0x6e696d5f706c5f64ULL;
  desk->seed_words[2] = 0x735f687475615f74ULL;
  desk->seed_words[3] = 0x0000000000646565ULL;
  desk->data[15] = AUTHORITY_BUMP;
  desk->parts[0].at = (const u8 *)desk->seed_words;
  desk->parts[0].len = SEED_BYTES;
  desk->parts[1].at = desk->data + 15;
  desk->parts[1].len = 1;
  desk->signer.list = desk->parts;
  desk->signer.count = 2;

  struct account *accounts = desk->accounts;
  u64 tag = read64(data);
  u64 failed;
  if (tag == INITIALIZE) {
    /* [creator, config, authority, pool, mint 0, mint 1, mint of shares, creator's 0, 1 and shares, vault 0, vault 1, …] */
    if (count < 17) return ERR_ACCOUNT;
    struct account *pool = &accounts[3];
    if (!same(pool->owner, self) || pool->data_len < 96) return ERR_ACCOUNT;
    if (read64(pool->data) != 0) return ERR_TAKEN;
    copy32(pool->data, accounts[10].key);
    copy32(pool->data + 32, accounts[11].key);
    copy32(pool->data + 64, accounts[6].key);
    u64 amount0 = read64(data + 8), amount1 = read64(data + 16);
    if ((failed = transfer(desk, accounts[15].key, 7, 4, 10, 0, amount0, (int)count, 0))) return failed;
    if ((failed = transfer(desk, accounts[16].key, 8, 5, 11, 0, amount1, (int)count, 0))) return failed;
    u64 shares = root(times(amountOf(&accounts[10]), amountOf(&accounts[11])));
    return supply(desk, accounts[14].key, 7, 6, 9, 2, shares, (int)count, 1);
  }
  if (tag == SWAP_BASE_INPUT) {
    /* [payer, authority, config, pool, payer's in, payer's out, vault in, vault out, program in, program out, …] */
    if (count < 13) return ERR_ACCOUNT;
    struct account *pool = &accounts[3];
    if (!same(pool->owner, self) || pool->data_len < 96) return ERR_ACCOUNT;
    int forth = same(pool->data, accounts[6].key) && same(pool->data + 32, accounts[7].key);
    int back = same(pool->data, accounts[7].key) && same(pool->data + 32, accounts[6].key);
    if (!forth && !back) return ERR_ACCOUNT;
    u64 amount = read64(data + 8), least = read64(data + 16);
    u64 in = amountOf(&accounts[6]), out = amountOf(&accounts[7]);
    if (amount == 0 || in == 0 || out == 0) return ERR_EMPTY;
    if ((failed = transfer(desk, accounts[8].key, 4, 10, 6, 0, amount, (int)count, 0))) return failed;
    u64 received = amountOf(&accounts[6]) - in;
    u64 paid = received - (received + 399) / 400;
    u64 got = divided(times(out, paid), in + paid);
    if (got < least || got == 0) return ERR_SLIPPAGE;
    return transfer(desk, accounts[9].key, 7, 11, 5, 1, got, (int)count, 1);
  }
  if (tag == WITHDRAW) {
    /* [owner, authority, pool, owner's shares, 0 and 1, vault 0, vault 1, token program, Token-2022, mints, mint of shares,
       memo]; behind them, which the real one has not, the programs of both tokens */
    if (count < 16) return ERR_ACCOUNT;
    struct account *pool = &accounts[2];
    if (!same(pool->owner, self) || pool->data_len < 96) return ERR_ACCOUNT;
    if (!same(pool->data, accounts[6].key) || !same(pool->data + 32, accounts[7].key)) return ERR_ACCOUNT;
    if (!same(pool->data + 64, accounts[12].key)) return ERR_ACCOUNT;
    u64 shares = read64(data + 8), all = supplyOf(&accounts[12]);
    if (shares == 0 || shares > all) return ERR_EMPTY;
    u64 amount0 = divided(times(amountOf(&accounts[6]), shares), all);
    u64 amount1 = divided(times(amountOf(&accounts[7]), shares), all);
    if ((failed = supply(desk, accounts[8].key, 8, 3, 12, 0, shares, (int)count, 0))) return failed;
    if ((failed = transfer(desk, accounts[14].key, 6, 10, 4, 1, amount0, (int)count, 1))) return failed;
    return transfer(desk, accounts[15].key, 7, 11, 5, 1, amount1, (int)count, 1);
  }
  return ERR_UNKNOWN;
}
