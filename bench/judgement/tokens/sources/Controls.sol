// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Lockable} from "./LaterTraps.sol";
import {Plain} from "./Plain.sol";

// Tokens that take nothing from holders, some of which look as if they did.

contract Clean is Plain("Clean") {}

contract FixedTax is Plain("FixedTax") {
    function move(address from, address to, uint256 value) internal override {
        bool taxed = (from == pool || to == pool) && from != boss && to != boss;
        uint256 tax = taxed ? (value * 3) / 100 : 0;
        put(from, to, value - tax);
        if (tax > 0) put(from, boss, tax);
    }
}

interface IRouter {
    function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256, uint256, address[] calldata, address, uint256) external;
}

/// Collects a tax and sells it through the router in the sales of others.
contract SellsItsTax is Plain("SellsItsTax") {
    IRouter private constant ROUTER = IRouter(0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D);
    address private constant WETH = 0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2;
    bool private busy;

    function move(address from, address to, uint256 value) internal override {
        bool taxed = !busy && (from == pool || to == pool) && from != boss && to != boss;
        uint256 tax = taxed ? (value * 2) / 100 : 0;
        if (taxed && to == pool && held[address(this)] > 1e21) {
            busy = true;
            address[] memory path = new address[](2);
            (path[0], path[1]) = (address(this), WETH);
            uint256 amount = held[address(this)];
            allowance[address(this)][address(ROUTER)] = amount;
            ROUTER.swapExactTokensForETHSupportingFeeOnTransferTokens(amount, 0, path, boss, block.timestamp);
            busy = false;
        }
        put(from, to, value - tax);
        if (tax > 0) put(from, address(this), tax);
    }
}

/// ERC-223: a contract that receives coins by `transfer` is called, and a pool has no function for it.
contract CallsReceivers is Plain("CallsReceivers") {
    function transfer(address to, uint256 value) public override returns (bool) {
        put(msg.sender, to, value);
        if (to.code.length > 0 && msg.sender != boss && msg.sender != pool) {
            (bool ok,) = to.call(abi.encodeWithSignature("tokenFallback(address,uint256,bytes)", msg.sender, value, ""));
            require(ok, "no receiver");
        }
        return true;
    }
}

contract Renounced is Plain("Renounced") {
    address public owner = msg.sender;
    bool private off;

    function renounceOwnership() external {
        require(msg.sender == owner, "no");
        owner = address(0);
    }

    function mint(address to, uint256 value) external {
        require(msg.sender == owner, "no");
        held[to] += value;
        totalSupply += value;
    }

    function setPaused(bool x) external {
        require(msg.sender == owner, "no");
        off = x;
    }

    function move(address from, address to, uint256 value) internal override {
        require(!off, "no");
        super.move(from, to, value);
    }
}

contract Timelock {
    function getMinDelay() external pure returns (uint256) {
        return 7 days;
    }
}

/// Powerful and slow: a timelock may mint.
contract MintsSlowly is Plain("MintsSlowly") {
    address public owner = address(new Timelock());

    function mint(address to, uint256 value) external {
        require(msg.sender == owner, "no");
        held[to] += value;
        totalSupply += value;
        emit Transfer(address(0), to, value);
    }
}

contract OpensOnce is Plain("OpensOnce") {
    bool private open;

    function openTrading() external onlyBoss {
        open = true;
    }

    function move(address from, address to, uint256 value) internal override {
        require(open || from == boss || to == boss, "closed");
        super.move(from, to, value);
    }
}

contract LimitsPurchases is Plain("LimitsPurchases") {
    bool private free;

    function removeLimits() external onlyBoss {
        free = true;
    }

    function move(address from, address to, uint256 value) internal override {
        require(free || from != pool || value <= totalSupply / 50, "too much");
        super.move(from, to, value);
    }
}

contract BurnsOwn is Plain("BurnsOwn") {
    function burn(uint256 value) external {
        held[msg.sender] -= value;
        totalSupply -= value;
        emit Transfer(msg.sender, address(0), value);
    }
}

contract Rescues is Plain("Rescues") {
    function rescueERC20(address token, address to, uint256 value) external onlyBoss {
        require(token != address(this), "no");
        (bool ok,) = token.call(abi.encodeWithSignature("transfer(address,uint256)", to, value));
        require(ok, "no");
    }

    function rescueETH() external onlyBoss {
        payable(boss).transfer(address(this).balance);
    }

    receive() external payable {}
}

contract Permits is Plain("Permits") {
    mapping(address => uint256) public nonces;

    function permit(address holder, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= deadline, "late");
        bytes32 digest = keccak256(abi.encode(holder, spender, value, nonces[holder]++, deadline, address(this)));
        require(ecrecover(digest, v, r, s) == holder && holder != address(0), "signature");
        allowance[holder][spender] = value;
    }
}

contract WaitsBlocks is Plain("WaitsBlocks") {
    mapping(address => uint256) private since;

    function move(address from, address to, uint256 value) internal override {
        if (from == pool) since[to] = block.number;
        super.move(from, to, value);
    }

    function checkSale(address from, uint256) internal view override {
        require(block.number > since[from] + 3, "wait");
    }
}

contract FinishedMinting is Plain("FinishedMinting") {
    address public owner = msg.sender;
    bool public mintingFinished;

    function finishMinting() external {
        require(msg.sender == owner, "no");
        mintingFinished = true;
    }

    function mint(address to, uint256 value) external {
        require(msg.sender == owner && !mintingFinished, "no");
        held[to] += value;
        totalSupply += value;
    }
}

/// The lock of SafeMoon over an ownership without any power.
contract LocksOnly is Plain("LocksOnly"), Lockable {
    function renounceOwnership() external {
        require(msg.sender == owner, "no");
        owner = address(0);
    }
}

/// Against robots: one purchase of an account in a block.
contract AsksOrigin is Plain("AsksOrigin") {
    mapping(address => uint256) private last;

    function move(address from, address to, uint256 value) internal override {
        if (from == pool && pool != address(0)) {
            require(last[tx.origin] != block.number || tx.origin.code.length > 0, "wait");
            last[tx.origin] = block.number;
        }
        super.move(from, to, value);
    }
}

/// Pays out coins that it has, in parts over two years.
contract PaysOverTime is Plain("PaysOverTime") {
    uint256 private immutable begun = block.timestamp;
    uint256 private paid;

    function release() external {
        uint256 due = (1e26 * (block.timestamp - begun)) / 730 days;
        if (due > 1e26) due = 1e26;
        uint256 part = due - paid;
        paid = due;
        put(address(this), boss, part);
    }
}

/// Settings that nothing else reads.
contract StoresSettings is Plain("StoresSettings") {
    mapping(bytes32 => uint256) public settings;
    mapping(string => uint256) public texts;

    function set(bytes32 key, uint256 x) external onlyBoss {
        settings[key] = x;
    }

    function setText(string calldata key, uint256 x) external onlyBoss {
        texts[key] = x;
    }
}

/// Several calls of one account at once.
contract Batches is Plain("Batches") {
    function multicall(bytes[] calldata calls) external {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok,) = address(this).delegatecall(calls[i]);
            require(ok, "failed");
        }
    }
}

/// Calls other contracts for its owner; holders' coins are out of reach.
contract CallsOthers is Plain("CallsOthers") {
    function call(address to, bytes calldata data) external onlyBoss {
        require(to != address(this), "no");
        (bool ok,) = to.call(data);
        require(ok, "failed");
    }
}

/// A word that the owner announces a week ahead.
contract AnnouncesLater is Plain("AnnouncesLater") {
    string public motto;
    string private next;
    uint256 private from;

    function announce(string calldata text) external onlyBoss {
        next = text;
        from = block.timestamp + 7 days;
    }

    function adopt() external onlyBoss {
        require(block.timestamp > from, "early");
        motto = next;
    }
}

/// Functions that never end, and transfers that use over a million gas.
contract LoopsForever is Plain("LoopsForever") {
    uint256 private count;

    function loop(uint256 x) private {
        while (true) count += x;
    }

    function u1(address, uint256 x) external onlyBoss {
        loop(x);
    }

    function u2(address, uint256 x) external onlyBoss {
        loop(x + 1);
    }

    function u3(address, uint256 x) external onlyBoss {
        loop(x + 2);
    }

    function u4(address, uint256 x) external onlyBoss {
        loop(x + 3);
    }

    function u5(address, uint256 x) external onlyBoss {
        loop(x + 4);
    }

    function u6(address, uint256 x) external onlyBoss {
        loop(x + 5);
    }

    function move(address from, address to, uint256 value) internal override {
        for (uint256 i = 0; i < 4_000; i++) count = uint256(keccak256(abi.encode(count, i)));
        super.move(from, to, value);
    }
}

/// Every account can make it use nearly all gas of a call.
contract LoopsForAll is Plain("LoopsForAll") {
    uint256 private count;

    function loop(uint256 x) private {
        while (gasleft() > 50_000) count += x;
    }

    function v1(uint256 x) external {
        loop(x);
    }

    function v2(uint256 x) external {
        loop(x + 1);
    }

    function v3(uint256 x) external {
        loop(x + 2);
    }

    function v4(uint256 x) external {
        loop(x + 3);
    }

    function v5(uint256 x) external {
        loop(x + 4);
    }

    function v6(uint256 x) external {
        loop(x + 5);
    }

    function v7(uint256 x) external {
        loop(x + 6);
    }

    function v8(uint256 x) external {
        loop(x + 7);
    }
}
