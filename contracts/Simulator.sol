// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {IConcentratedPool, IConstantPool, IPoolManager, ISolidlyPool, IToken, IWrapped} from "./Pools.sol";

/// Never deployed: its code is lent to an unused address for the time of a read-only call. There it buys a token from a
/// pool, passes a part on, and sells the rest. As a router it does the same for a plain account that calls it.
contract Simulator {
    /// Constant: the fee is given. Concentrated: paid in the middle of the swap. Quoting: as constant, but the pool itself
    /// says what it will give (Solidly and its kin). Singleton: one of the pools of a manager, named by its key.
    enum Kind {
        Constant,
        Concentrated,
        Quoting,
        Singleton
    }

    struct Market {
        /// Of a singleton: the manager.
        address pool;
        /// Of a singleton: the address of zeros is the native coin.
        address quote;
        address token;
        Kind kind;
        /// Of constant-product pools, in millionths. Of a singleton: as its key says. The others take their own.
        uint256 feePpm;
        /// The rest of a singleton's key.
        int24 tickSpacing;
        address hooks;
    }

    /// Purchase: what the pool gave, what the buyer got. Transfer: what the sender lost, what the recipient got.
    /// Sale: what the seller lost, what the pool was paid.
    struct Step {
        bool done;
        uint256 given;
        uint256 arrived;
        uint256 gasUsed;
        bytes failure;
    }

    /// `half`: tried only when everything could not be sold at once.
    struct Rehearsal {
        Step purchase;
        Step move;
        Step sale;
        Step half;
    }

    /// What a pool, or the manager of pools, will ask for when it calls back.
    struct Payment {
        address pool;
        address token;
        address payer;
        /// Sent instead of what is asked; 0: as asked. To a manager: what is sent.
        uint256 gross;
        /// What the pool received.
        uint256 arrived;
    }

    error Measured(uint256 arrived);

    /// Twice the gas from which a trade counts as abuse.
    uint256 private constant STEP_GAS = 4_000_000;
    /// v3-core TickMath.sol: MIN_SQRT_RATIO + 1 and MAX_SQRT_RATIO - 1.
    uint160 private constant LOWEST = 4295128740;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970341;

    /// Slot of the payment: an account that only borrows this code keeps its own storage.
    bytes32 private constant PAYMENT_SLOT = keccak256("assay.simulator.payment");

    receive() external payable {}

    /// The quote amount must be here already, or in coins when the quote is `wrapped`.
    function rehearse(Market calldata market, uint256 amount, address wrapped, address recipient)
        external
        returns (Rehearsal memory r)
    {
        if (market.quote == wrapped) IWrapped(wrapped).deposit{value: amount}();
        r.purchase = _attempt(abi.encodeCall(this.buy, (market, amount)));
        if (!r.purchase.done) return r;
        uint256 held = _held(market.token, address(this));
        r.move = _attempt(abi.encodeCall(this.move, (market.token, recipient, held / 10)));
        held = _held(market.token, address(this));
        r.sale = _attempt(abi.encodeCall(this.sell, (market, held)));
        if (!r.sale.done) r.half = _attempt(abi.encodeCall(this.sell, (market, held / 2)));
    }

    /// Purchases one after another, the later ones on top of the earlier ones.
    function rehearseBuys(Market calldata market, uint256[] calldata amounts, address wrapped)
        external
        returns (bool[] memory done)
    {
        done = new bool[](amounts.length);
        for (uint256 i = 0; i < amounts.length; i++) {
            if (market.quote == wrapped) IWrapped(wrapped).deposit{value: amounts[i]}();
            done[i] = _attempt(abi.encodeCall(this.buy, (market, amounts[i]))).done;
        }
    }

    /// Buys for whoever calls, with his quote coins; native ones must come along.
    function buy(Market calldata market, uint256 amount) external payable returns (uint256 given, uint256 arrived) {
        uint256 before = _held(market.token, msg.sender);
        if (market.kind == Kind.Singleton) {
            (, given) = _swapSingleton(market, market.quote, amount);
        } else if (market.kind == Kind.Concentrated) {
            _expect(Payment(market.pool, market.quote, msg.sender, 0, 0));
            given = _swapConcentrated(market, market.quote, amount);
        } else {
            _pay(market.quote, msg.sender, market.pool, amount);
            (, given) = _swapConstant(market, market.quote);
        }
        arrived = _held(market.token, msg.sender) - before;
    }

    function sellAll(Market calldata market) external returns (uint256, uint256) {
        return sell(market, _held(market.token, msg.sender));
    }

    /// Sells one of `parts` equal parts of the caller's balance.
    function sellPart(Market calldata market, uint256 parts) external returns (uint256, uint256) {
        return sell(market, _held(market.token, msg.sender) / parts);
    }

    function sell(Market calldata market, uint256 amount) public returns (uint256 given, uint256 arrived) {
        uint256 before = _held(market.token, msg.sender);
        if (market.kind == Kind.Singleton) {
            (arrived,) = _swapSingleton(market, market.token, amount);
        } else if (market.kind == Kind.Concentrated) {
            uint256 net = _netReceipt(market, amount);
            _expect(Payment(market.pool, market.token, msg.sender, amount, 0));
            _swapConcentrated(market, market.token, net);
            arrived = _payment().arrived;
        } else {
            _pay(market.token, msg.sender, market.pool, amount);
            (arrived,) = _swapConstant(market, market.token);
        }
        given = before - _held(market.token, msg.sender);
    }

    function move(address token, address to, uint256 amount) external returns (uint256 given, uint256 arrived) {
        uint256 before = _held(token, address(this));
        uint256 had = _held(token, to);
        _pay(token, address(this), to, amount);
        given = before - _held(token, address(this));
        arrived = _held(token, to) - had;
    }

    /// Always reverts: what a payment would bring, and nothing of it.
    function measure(address token, address from, address to, uint256 amount) external {
        uint256 had = _held(token, to);
        _pay(token, from, to, amount);
        revert Measured(_held(token, to) - had);
    }

    /// v4-core IUnlockCallback.sol. Pays first, so that what is swapped is what arrived; takes what the pool gave.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        Payment memory payment = _payment();
        require(msg.sender == payment.pool, "Simulator: not the pool");
        Market memory market = abi.decode(data, (Market));
        uint256 into = _settle(payment);
        (uint256 used, uint256 out) = _swapInManager(market, payment.token, into);
        // Beyond the last liquidity a pool takes nothing: the rest is left to the manager, as to every other pool.
        if (into > used) IPoolManager(payment.pool).clear(payment.token, into - used);
        IPoolManager(payment.pool).take(_other(market, payment.token), payment.payer, out);
        return abi.encode(into, out);
    }

    /// Callbacks of concentrated pools differ in name only: (int256 amount0, int256 amount1, bytes data).
    fallback() external payable {
        Payment memory payment = _payment();
        require(msg.sender == payment.pool, "Simulator: not the pool");
        (int256 amount0, int256 amount1) = abi.decode(msg.data[4:], (int256, int256));
        uint256 asked = uint256(amount0 > 0 ? amount0 : amount1);
        uint256 had = _held(payment.token, payment.pool);
        _pay(payment.token, payment.payer, payment.pool, payment.gross == 0 ? asked : payment.gross);
        _payment().arrived = _held(payment.token, payment.pool) - had;
    }

    function _payment() private pure returns (Payment storage payment) {
        bytes32 slot = PAYMENT_SLOT;
        assembly {
            payment.slot := slot
        }
    }

    function _expect(Payment memory expected) private {
        Payment storage payment = _payment();
        payment.pool = expected.pool;
        payment.token = expected.token;
        payment.payer = expected.payer;
        payment.gross = expected.gross;
        payment.arrived = expected.arrived;
    }

    function _attempt(bytes memory data) private returns (Step memory step) {
        uint256 before = gasleft();
        (bool ok, bytes memory result) = address(this).call{gas: STEP_GAS}(data);
        step.gasUsed = before - gasleft();
        step.done = ok;
        if (ok) (step.given, step.arrived) = abi.decode(result, (uint256, uint256));
        else step.failure = result;
    }

    /// v2-core: what lies in the pair beyond its reserves was paid; v2-periphery getAmountOut with any fee.
    function _swapConstant(Market calldata market, address paid) private returns (uint256 into, uint256 out) {
        IConstantPool pool = IConstantPool(market.pool);
        bool isFirst = pool.token0() == paid;
        (uint256 reserveIn, uint256 reserveOut,) = pool.getReserves();
        if (!isFirst) (reserveIn, reserveOut) = (reserveOut, reserveIn);
        into = _held(paid, market.pool) - reserveIn;
        if (market.kind == Kind.Quoting) {
            out = ISolidlyPool(market.pool).getAmountOut(into, paid);
        } else {
            uint256 afterFee = into * (1_000_000 - market.feePpm);
            out = (afterFee * reserveOut) / (reserveIn * 1_000_000 + afterFee);
        }
        pool.swap(isFirst ? 0 : out, isFirst ? out : 0, msg.sender, "");
    }

    function _swapConcentrated(Market calldata market, address paid, uint256 amount) private returns (uint256) {
        bool isFirst = paid < (paid == market.token ? market.quote : market.token);
        (int256 amount0, int256 amount1) = IConcentratedPool(market.pool).swap(
            msg.sender, isFirst, int256(amount), isFirst ? LOWEST : HIGHEST, ""
        );
        return uint256(-(isFirst ? amount1 : amount0));
    }

    function _swapSingleton(Market calldata market, address paid, uint256 amount)
        private
        returns (uint256 into, uint256 out)
    {
        _expect(Payment(market.pool, paid, msg.sender, amount, 0));
        return abi.decode(IPoolManager(market.pool).unlock(abi.encode(market)), (uint256, uint256));
    }

    /// What the manager saw arrive.
    function _settle(Payment memory payment) private returns (uint256) {
        IPoolManager manager = IPoolManager(payment.pool);
        manager.sync(payment.token);
        if (payment.token == address(0)) return manager.settle{value: payment.gross}();
        _pay(payment.token, payment.payer, payment.pool, payment.gross);
        return manager.settle();
    }

    /// v4-core: a negative amount is what is paid, exactly. amount0 stands in the upper half of the delta, amount1 in the
    /// lower one; what the swapper owes is negative.
    function _swapInManager(Market memory market, address paid, uint256 into) private returns (uint256 used, uint256 out) {
        address bought = _other(market, paid);
        bool isFirst = paid < bought;
        IPoolManager.Key memory key = IPoolManager.Key(
            isFirst ? paid : bought, isFirst ? bought : paid, uint24(market.feePpm), market.tickSpacing, market.hooks
        );
        int256 delta = IPoolManager(market.pool).swap(
            key, IPoolManager.SwapParams(isFirst, -int256(into), isFirst ? LOWEST : HIGHEST), ""
        );
        (int128 amount0, int128 amount1) = (int128(delta >> 128), int128(delta));
        used = uint256(-int256(isFirst ? amount0 : amount1));
        out = uint256(int256(isFirst ? amount1 : amount0));
    }

    function _other(Market memory market, address one) private pure returns (address) {
        return one == market.token ? market.quote : market.token;
    }

    /// An exact sale of a taxed token fails: the pool must be promised what will arrive.
    function _netReceipt(Market calldata market, uint256 amount) private returns (uint256) {
        try this.measure(market.token, msg.sender, market.pool, amount) {
            return 0;
        } catch (bytes memory failure) {
            if (failure.length != 36 || bytes4(failure) != Measured.selector) _fail(failure);
            uint256 arrived;
            assembly {
                arrived := mload(add(failure, 36))
            }
            return arrived;
        }
    }

    /// Tokens of old answer nothing when they have paid.
    function _pay(address token, address from, address to, uint256 amount) private {
        bytes memory data = from == address(this)
            ? abi.encodeCall(IToken.transfer, (to, amount))
            : abi.encodeCall(IToken.transferFrom, (from, to, amount));
        (bool ok, bytes memory result) = token.call(data);
        if (!ok) _fail(result);
        require(result.length == 0 || abi.decode(result, (uint256)) != 0, "Simulator: the token refused");
    }

    function _held(address token, address holder) private view returns (uint256) {
        return IToken(token).balanceOf(holder);
    }

    function _fail(bytes memory reason) private pure {
        assembly {
            revert(add(reason, 32), mload(reason))
        }
    }
}
