// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// EIP-1967 proxy: the administrator may exchange the code, everybody else talks to the code.
contract Proxy {
    // bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1)
    bytes32 private constant IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    // bytes32(uint256(keccak256("eip1967.proxy.admin")) - 1)
    bytes32 private constant ADMIN = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;

    event Upgraded(address indexed implementation);
    event AdminChanged(address previousAdmin, address newAdmin);

    constructor(address implementation, address admin, bytes memory initialization) payable {
        _store(ADMIN, admin);
        emit AdminChanged(address(0), admin);
        _store(IMPLEMENTATION, implementation);
        emit Upgraded(implementation);
        if (initialization.length > 0) {
            (bool ok,) = implementation.delegatecall(initialization);
            require(ok, "Proxy: initialization failed");
        }
    }

    function upgradeTo(address implementation) external {
        if (msg.sender != _load(ADMIN)) _delegate();
        _store(IMPLEMENTATION, implementation);
        emit Upgraded(implementation);
    }

    fallback() external payable {
        _delegate();
    }

    receive() external payable {
        _delegate();
    }

    function _delegate() private {
        address implementation = _load(IMPLEMENTATION);
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), implementation, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }

    function _load(bytes32 slot) private view returns (address value) {
        assembly {
            value := sload(slot)
        }
    }

    function _store(bytes32 slot, address value) private {
        assembly {
            sstore(slot, value)
        }
    }
}
