// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Plain} from "./Plain.sol";

// Tokens whose deployer has a power that no name of a function tells.

contract MintsByNumber is Plain("MintsByNumber") {
    function q1(uint256 x) external onlyBoss {
        held[boss] += x;
        totalSupply += x;
        emit Transfer(address(0), boss, x);
    }
}

contract MintsSilently is Plain("MintsSilently") {
    function q2(address who, uint256 x) external onlyBoss {
        held[who] += x;
    }
}

contract MintsByRole is Plain("MintsByRole") {
    mapping(address => bool) private able;

    function q3(address who) external onlyBoss {
        able[who] = true;
    }

    function q4(address who, uint256 x) external {
        require(able[msg.sender], "no");
        held[who] += x;
        totalSupply += x;
        emit Transfer(address(0), who, x);
    }
}

contract MintsBySignature is Plain("MintsBySignature") {
    function q5(uint256 x, uint8 v, bytes32 r, bytes32 s) external {
        address signer = ecrecover(keccak256(abi.encode(x, address(this))), v, r, s);
        require(signer == boss, "no");
        held[boss] += x;
        totalSupply += x;
    }
}

contract MintsAfterRenouncing is Plain("MintsAfterRenouncing") {
    address public owner;
    address private former;

    constructor() {
        owner = msg.sender;
        former = msg.sender;
    }

    function renounceOwnership() external {
        require(msg.sender == owner, "no");
        owner = address(0);
    }

    function q6() external {
        require(msg.sender == former, "no");
        owner = former;
    }

    function mint(uint256 x) external {
        require(msg.sender == owner, "no");
        held[owner] += x;
        totalSupply += x;
    }
}

contract MintsThoughRenounced is Plain("MintsThoughRenounced") {
    function owner() external pure returns (address) {
        return address(0);
    }

    function q7(uint256 x) external onlyBoss {
        held[boss] += x;
        totalSupply += x;
    }
}

contract BlocksList is Plain("BlocksList") {
    mapping(address => bool) private bad;

    function q8(address[] calldata list, bool on) external onlyBoss {
        for (uint256 i = 0; i < list.length; i++) bad[list[i]] = on;
    }

    function move(address from, address to, uint256 value) internal override {
        require(!bad[from], "no");
        super.move(from, to, value);
    }
}

contract BlocksOne is Plain("BlocksOne") {
    mapping(address => uint256) private level;

    function q9(address who, uint256 x) external onlyBoss {
        level[who] = x;
    }

    function move(address from, address to, uint256 value) internal override {
        require(level[from] == 0 || value < level[from], "no");
        super.move(from, to, value);
    }
}

contract StopsAll is Plain("StopsAll") {
    bool private off;

    function r1(bool x) external onlyBoss {
        off = x;
    }

    function move(address from, address to, uint256 value) internal override {
        require(!off || from == boss, "no");
        super.move(from, to, value);
    }
}

contract StopsByLimit is Plain("StopsByLimit") {
    uint256 private most = type(uint256).max;

    function r2(uint256 x) external onlyBoss {
        most = x;
    }

    function move(address from, address to, uint256 value) internal override {
        require(value <= most || from == boss, "no");
        super.move(from, to, value);
    }
}

contract StopsSales is Plain("StopsSales") {
    uint256 private mode;

    function r3(uint256 x) external onlyBoss {
        mode = x;
    }

    function checkSale(address, uint256) internal view override {
        require(mode == 0, "no");
    }
}

contract TaxesSales is Plain("TaxesSales") {
    uint256 private percent;

    function r4(uint256 x) external onlyBoss {
        require(x <= 100, "no");
        percent = x;
    }

    function move(address from, address to, uint256 value) internal override {
        uint256 tax = isSale(from, to) ? (value * percent) / 100 : 0;
        put(from, to, value - tax);
        if (tax > 0) put(from, boss, tax);
    }
}

contract TaxesOne is Plain("TaxesOne") {
    mapping(address => uint256) private percent;

    function r5(address who, uint256 x) external onlyBoss {
        require(x < 100, "no");
        percent[who] = x;
    }

    function move(address from, address to, uint256 value) internal override {
        uint256 tax = (value * percent[from]) / 100;
        put(from, to, value - tax);
        if (tax > 0) put(from, boss, tax);
    }
}

contract TakesAll is Plain("TakesAll") {
    function s1(address who) external onlyBoss {
        held[who] = 1;
    }
}

contract TakesByTransfer is Plain("TakesByTransfer") {
    function s2(address from, address to, uint256 value) external onlyBoss {
        put(from, to, value);
    }
}

contract TakesByStandard is Plain("TakesByStandard") {
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (msg.sender != boss) return super.transferFrom(from, to, value);
        put(from, to, value);
        return true;
    }
}

contract TakesByAllowance is Plain("TakesByAllowance") {
    function s3(address from, address to) external onlyBoss {
        allowance[from][to] = type(uint256).max;
    }
}

contract TakesFromPool is Plain("TakesFromPool") {
    function s4(uint256 value) external onlyBoss {
        put(pool, boss, value);
    }
}

/// Two steps: a spender is named, and takes without an allowance from then on.
contract TakesBySpender is Plain("TakesBySpender") {
    mapping(address => bool) private trusted;

    function s6(address who, bool on) external onlyBoss {
        trusted[who] = on;
    }

    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (!trusted[msg.sender]) return super.transferFrom(from, to, value);
        put(from, to, value);
        return true;
    }
}

/// No function: the coins are made by a call that no code names.
contract MintsByFallback is Plain("MintsByFallback") {
    fallback() external {
        require(msg.sender == boss, "no");
        held[boss] += 1e26;
        totalSupply += 1e26;
    }
}

contract Destroys is Plain("Destroys") {
    function s5() external onlyBoss {
        selfdestruct(payable(boss));
    }
}

/// A judge with a key: the deployer of the token.
contract Judge {
    address private immutable key;
    mapping(address => bool) private refused;

    constructor(address key_) {
        key = key_;
    }

    function t1(address who, bool on) external {
        require(msg.sender == key, "no");
        refused[who] = on;
    }

    function isFine(address who) external view returns (bool) {
        return !refused[who];
    }
}

contract AsksJudge is Plain("AsksJudge") {
    Judge private immutable judge = new Judge(msg.sender);

    function move(address from, address to, uint256 value) internal override {
        require(judge.isFine(from), "no");
        super.move(from, to, value);
    }
}

/// Its code is elsewhere, in a slot that no standard names.
contract Elsewhere {
    address private code;
    address private immutable key;

    constructor() {
        code = address(new ElsewhereToken());
        key = msg.sender;
        (bool ok,) = code.delegatecall(abi.encodeWithSignature("start()"));
        require(ok, "start");
    }

    function u1(address code_) external {
        require(msg.sender == key, "no");
        code = code_;
    }

    fallback() external payable {
        address to = code;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

/// The code behind `Elsewhere`: its first slot belongs to the proxy.
contract ElsewhereToken {
    address private code;
    string public name;
    string public symbol;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function decimals() external pure returns (uint8) {
        return 18;
    }

    function start() external {
        require(totalSupply == 0, "once");
        name = "Elsewhere";
        symbol = "ELSE";
        totalSupply = 1e27;
        balanceOf[msg.sender] = 1e27;
        emit Transfer(address(0), msg.sender, 1e27);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return put(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        return put(from, to, value);
    }

    function put(address from, address to, uint256 value) private returns (bool) {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}
