// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

interface IToken {
    function balanceOf(address holder) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

interface IWrapped {
    function deposit() external payable;
}

interface IConstantPool {
    function token0() external view returns (address);
    function getReserves() external view returns (uint256, uint256, uint256);
    function swap(uint256 out0, uint256 out1, address to, bytes calldata data) external;
}

interface ISolidlyPool {
    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256);
}

interface IConcentratedPool {
    function swap(address to, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data)
        external
        returns (int256, int256);
}

/// Never deployed: its code is lent to an unused address for the time of a read-only call. There it buys a token from a
/// pool, passes a part on, and sells the rest. As a router it does the same for a plain account that calls it.
contract Simulator {
    /// Constant: the fee is given. Concentrated: paid in the middle of the swap. Quoting: as constant, but the pool itself
    /// says what it will give (Solidly and its kin).
    enum Kind {
        Constant,
        Concentrated,
        Quoting
    }

    struct Market {
        address pool;
        address quote;
        address token;
        Kind kind;
        /// Of constant-product pools, in millionths; the others take their own.
        uint256 feePpm;
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

    /// What a concentrated pool will ask for in the middle of its swap.
    struct Payment {
        address pool;
        address token;
        address payer;
        /// Sent instead of what is asked; 0: as asked.
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

    Payment private _payment;

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

    /// Buys for whoever calls, with his quote coins.
    function buy(Market calldata market, uint256 amount) external returns (uint256 given, uint256 arrived) {
        uint256 before = _held(market.token, msg.sender);
        if (market.kind == Kind.Concentrated) {
            _payment = Payment(market.pool, market.quote, msg.sender, 0, 0);
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

    function sell(Market calldata market, uint256 amount) public returns (uint256 given, uint256 arrived) {
        uint256 before = _held(market.token, msg.sender);
        if (market.kind == Kind.Concentrated) {
            uint256 net = _netReceipt(market, amount);
            _payment = Payment(market.pool, market.token, msg.sender, amount, 0);
            _swapConcentrated(market, market.token, net);
            arrived = _payment.arrived;
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

    /// Callbacks of concentrated pools differ in name only: (int256 amount0, int256 amount1, bytes data).
    fallback() external payable {
        require(msg.sender == _payment.pool, "Simulator: not the pool");
        (int256 amount0, int256 amount1) = abi.decode(msg.data[4:], (int256, int256));
        uint256 asked = uint256(amount0 > 0 ? amount0 : amount1);
        Payment memory payment = _payment;
        uint256 had = _held(payment.token, payment.pool);
        _pay(payment.token, payment.payer, payment.pool, payment.gross == 0 ? asked : payment.gross);
        _payment.arrived = _held(payment.token, payment.pool) - had;
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
